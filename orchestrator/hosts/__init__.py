"""External MCP hosts as agents under test: adapter files, what is installed, and their processes."""
