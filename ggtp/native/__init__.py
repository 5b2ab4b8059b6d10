"""The small part of Python that becomes machine code, and the machine code of LLVM's language."""
