"""Text, messages and the states of a conversation. Pure: knows no game and no socket."""

from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command
from ggtp.protocol.session import Answered, EngineSession, Selected

__all__ = ["ACKNOWLEDGE", "Answer", "AnswerKind", "Answered", "Command", "EngineSession", "Selected"]
