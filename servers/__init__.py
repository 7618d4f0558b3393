"""What the agent reaches: MCP servers, their middleware, stores, journals and transports."""
