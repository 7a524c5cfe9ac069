"""Events to episodes and statements to knowledge: everything that enters the memory."""
