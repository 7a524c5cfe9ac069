"""A sentence -> what it claims: frames of one language, patterns over words, are matched with whole clauses. Pure.

language   a language's words, forms and frames, read from its folder in ``languages/``
tokens     a sentence as words with their lemmas
times      the times that a sentence names
clauses    a turn's sentences, a sentence's clauses, and which of them are said in earnest
order      a clause with its subject first, where a language moves the verb
pattern    a pattern, compiled, and how it matches words
subjects   whom a clause is about
values     what may fill a slot, and its dictionary form
wording    a claim as a sentence
salience   how likely a sentence tells something that lasts: then it is kept as it was said
changes    what a sentence says of the change of something that is known
made       what a frame and the words in its slots make: a statement
sentence   one sentence, its parts tried with the frames
reader     turns -> statements; who was spoken of so far
"""

from sandbox.extensions.memory.parse.made import Statement
from sandbox.extensions.memory.parse.reader import claims_of, read

__all__ = ["Statement", "claims_of", "read"]
