"""The memory for every client of the Model Context Protocol: profiles of tools over stdio and streamable HTTP."""
