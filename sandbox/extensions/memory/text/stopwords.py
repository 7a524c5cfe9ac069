"""Function words that carry no evidence, by language. Folded as ``words.fold`` folds.

Small closed classes only (articles, pronouns, auxiliaries, prepositions, conjunctions, question words and their
contractions): a word that can be the topic of a memory is not in here.
"""

ENGLISH = frozenset(
    """
    a about again all also am an and any anyone anything are aren't as at be because been being both but by can can't
    cannot could couldn't did didn't do does doesn't doing don't each either else ever every for from had hadn't has
    hasn't have haven't having he he'd he'll he's hello her here hers herself hey hi him himself his how how's i i'd
    i'll i'm i've if in into is isn't it it'd it'll it's its itself just let's me might mine more most much must my
    myself neither nor not of off oh ok okay on only onto or other our ours ourselves out over own please quite rather
    really same shall she she'd she'll she's should shouldn't so some someone something still such than thanks that
    that'll that's the their theirs them themselves then there there's these they they'd they'll they're they've this
    those though through to too under until up upon us very was wasn't we we'd we'll we're we've were weren't what
    what's whatever when when's where where's whether which while who who's whom whose why why's will with within
    without won't would wouldn't yeah yes yet you you'd you'll you're you've your yours yourself yourselves
    """.split()
)

RUSSIAN = frozenset(
    """
    а без более бы был была были было быть в вам вами вас весь во вот все всего всех вы где да даже для до его ее ей
    ему если есть еще же за зачем здесь и из или им ими их к как какая какие какой каком когда кого ком кому который
    которая которые которое кто куда ли либо лишь мне мной много может мы мой моя мое мои моей моего моих на над надо
    нам нами нас наш наша наше не него нее ней нем нет ни нибудь никогда ними них но ну о об однако он она они оно от
    откуда очень по под после потом потому почему при про с сам сама сами свой своя свое свои своей себе себя сейчас
    со так также такая такие такой там те тебе тебя тем теперь то тобой тогда того тоже той только том тот ту тут ты
    у уж уже хотя чего чей чем что чтобы чье чья эта эти этим этих это этого этой этом этот эту я
    """.split()
)

STOP_WORDS = ENGLISH | RUSSIAN
