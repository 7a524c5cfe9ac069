"""Learning without a model: sentences in which people speak of themselves and theirs become statements. Pure.

A turn goes through them from above to below::

    reading        turns -> an extraction; who speaks, what was a joke, how much a turn may teach
      choosing       which statements of a turn are kept, where it has more than that
      sentences material preambles    what is said in a turn: nothing quoted, laughed at or only announced
      summaries entities distinct     what a session was about, whom it names, which two names are two
    context        whom a sentence may speak of: those who were spoken of so far
    grammars       a sentence to its language; what is said of what was told
      procedures replies              steps; an answer with its question
    English                           Russian
      english contractions rewording    russian_clauses russian_rewording    clauses, in the words the rules know
        typing_slips
      wishes manners revoking           russian_orders                       how the assistant shall behave
      naming identities introductions   russian_people russian_identities    who is who
      subjects things contacts          russian_subjects russian_things      whom or what a clause is about
      predicates -> being having        russian russian_kinds retelling      what it says, by its verb
        happening holding lasting         russian_lasting russian_frames
        planning general duties opinions
      clauses values statements         morphology                           what these have in common
      corrections slots changes         russian_corrections russian_changes  what is put right or replaced
        endings cancelling              russian_endings
      english_words english_verbs       russian_words                        words, as data
        english_phrases
      wordforms dates date_words                                             their forms; days, in both languages
"""

from sandbox.extensions.memory.consolidate.rules.reading import read

__all__ = ["read"]
