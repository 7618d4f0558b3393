"""Between a call and its answer: one concern a layer, outermost first: journal, ending, arguments, masking."""
