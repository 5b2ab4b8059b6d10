"""What keeps an engine from everything that it does not need.

policy       Sandbox, what an engine may do; Protection, what holds for it in fact
layout       what it sees of the file system
environment  its variables
bubblewrap   the first choice: namespaces, by the program `bwrap`
landlock     the second choice: rules that a process sets for itself, by `launcher`
calls        which system calls are refused in both
cgroup       limits that the kernel keeps, where control groups can be made
available    which of the two works here
box          all of it together: an engine's command as it is started in its sandbox
"""
