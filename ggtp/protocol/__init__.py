"""Text, messages and the states of a conversation. Pure: knows no game and no socket."""

from ggtp.protocol.connection import Answered, EngineConversation, Selected
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command

__all__ = ["ACKNOWLEDGE", "Answer", "AnswerKind", "Answered", "Command", "EngineConversation", "Selected"]
