"""A local server that speaks the APIs of models and plays a reference agent's policy through whatever host calls it."""
