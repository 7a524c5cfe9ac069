"""Extensions of the kernel; each folder with a manifest is one."""
