"""A session in the configuration of a person's own MCP host: printed, merged into their file, and taken out again."""
