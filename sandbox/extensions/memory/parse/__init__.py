"""A sentence -> what it claims: frames of one language, patterns over words, are matched with whole clauses. Pure.

language    a language's words, forms and frames, read from its folder in ``languages/``
tokens      a sentence as words with their lemmas
times       the times that a sentence names
days        the days that an expression of time means
clauses     a turn's sentences, a sentence's clauses, and which of them are asserted
order       a clause with its subject first, where a language moves the verb
pattern     a pattern, compiled, and how it matches words
subjects    whom a clause is about
values      what may fill a slot, and its dictionary form
wording     a claim as a sentence
statements  a statement from a frame and the words in its slots
rereading   the claims of a sentence that a wording makes
relatives   the speaker's relatives that a sentence names
repairs     corrections within a sentence
salience    how likely a sentence says something lasting; it is then kept in its own words
authorship  which sentences of a turn the speaker has probably not written
changes     what a sentence may change of what is known
outdated    the known statements that such a change is about
attributes  a claim about an attribute, where no frame reads a statement
sentence    one sentence, its parts tried with the frames
reader      turns -> statements; the people mentioned so far
"""

from sandbox.extensions.memory.parse.reader import claims_of, read
from sandbox.extensions.memory.parse.statements import Statement

__all__ = ["Statement", "claims_of", "read"]
