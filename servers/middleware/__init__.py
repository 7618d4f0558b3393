"""Between a call and its answer: one concern a layer, outermost first: journal, after the end, arguments,
ending, masking."""
