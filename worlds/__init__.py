"""What is true: frozen values, rules and the YAML that fills them. Pure but for reading its own YAML."""
