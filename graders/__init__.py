"""What it amounts to. Pure: world, final state and journal in; grades, measures and tables out."""
