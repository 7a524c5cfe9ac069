"""English verbs by what is learnt from them, as data.

A line of verbs says what their statements are (``category importance type``) and lists them in the base form, or as
they are said where only that form counts; words after the verb belong to it: ``live in``.
"""

# I am ...
BE = """
    fact 5: gluten free, gluten-free, dairy free, dairy-free, blind, hard of hearing, kosher, halal, sober,
        short-sighted, nearsighted, colour blind, color blind, left handed, right handed, prediabetic, anemic,
        allergic to, intolerant to, lactose intolerant, gluten intolerant, diabetic, celiac, coeliac, asthmatic,
        colour-blind, color-blind, colorblind, deaf, dyslexic, autistic, epileptic, left-handed, right-handed, vegan,
        vegetarian, pescatarian, pregnant
    fact 4: fluent with, trained in, qualified in, certified in, certified as, qualified as, enrolled in, enrolled at,
        registered at, self-taught, a native speaker of, native to, new to, on parental leave, on maternity leave,
        on paternity leave, on sabbatical, a citizen of, a resident of, a member at, a graduate of, homeschooled,
        adopted, stationed in, contracted to, subscribed to, married, single, divorced, engaged, widowed, separated,
        retired, self-employed, self employed, unemployed, fluent in, based in, originally from, from, born in, born on,
        responsible for, in charge of, the founder of, the ceo of, the cto of, the owner of, the author of,
        the head of, the manager of, the lead of, the mother of, the father of, the oldest, the youngest,
        an only child, bilingual, christian, muslim, jewish, catholic, buddhist, hindu, atheist
    fact 2: proud of
    preference 3: afraid of, scared of, terrified of, passionate about, inspired by, in talks with, part of, a part of,
        a member of, interested in, obsessed with, addicted to, fond of, keen on, into, a fan of, a big fan of,
        a huge fan of, crazy about, good at, bad at, terrible at, partial to, a sucker for, big on, mad about,
        nuts about, hooked on, a great fan of, no fan of, wary of, uncomfortable with, comfortable with, sensitive to,
        squeamish about, picky about, strict about, claustrophobic, an early bird, an early riser, a late riser,
        a morning person, a night owl, a cat person, a dog person, an introvert, an extrovert
"""
# I ..., said of what holds
STATES = """
    fact 4: run a, run an, run my own, run my, head, chair, direct, co-own, co-run, serve on, sit on the board of,
        do a phd, moonlight as, double as, live in, live at, live on, live near, live with, live alone, live outside,
        live close to, live next to, live across from, live by, live north of, live south of, live east of,
        live west of,
        live off, reside in,
        come from, work at, work for, work with, work in, work as, work from, work on, work part-time, work full-time,
        work nights, work remotely, own, manage, lead, supervise, teach, coach, mentor, study, study at, major in,
        attend, freelance, commute to, share a flat with, report to, specialize in, specialise in, suffer from,
        belong to
    fact 3: speak, know, play, use, drive, ride, practice, practise, collect, wear, take, volunteer at, volunteer with,
        volunteer for, smoke, drink, eat, cook, grow, write about, go by, run every, swim every, walk every,
        wake up at, get up at, go to bed at, go to the gym, go for a run, go for a walk, go for a swim, go for runs,
        go for walks, go running, go hiking, go swimming, go climbing, do yoga,
        do pilates, do karate, meditate, foster, raise, breed, code in, program in, write code in, develop in,
        deploy with, deploy to, deploy on, deploy from, deploy via, host on, host at, ship with, build with, test with,
        lint with, store, follow, listen to, watch, read, paint, draw, sing in, sing at, dance, dream of, believe in,
        value, care about, support, sell, design, create, train, perform, compete, travel, rescue, donate to,
        struggle with, find peace in, relax by, spend, look after, take care of, sponsor, cherish, offer, sew, knit,
        bake, garden, surf, ski, skateboard, hike, camp, fish, box, keep a journal, keep bees, get around by,
        get around on, get to work by, go to work by, commute by, commute on, travel by, weigh, review, handle,
        approve, maintain, moderate, organize, organise, get up before, stay in, deal with, shop at, bank with,
        subscribe to, pay, rent, sleep, earn, celebrate
    preference 3 opinion: love, like, enjoy, prefer, recommend, hate, dislike, adore, detest, loathe, avoid, miss
"""
TASTES = frozenset("love like enjoy prefer hate dislike adore detest loathe avoid miss".split())
TEAM = frozenset("deploy host ship test lint build use store release".split())
# The project ...
OF_THINGS = """
    project 3: go out at, go out on, log,
        run out on, run out in, end in, expire at, renew on, renew in, start in, finish on, finish in,
        run on, runs on port, listen on, use, require, live in, live at, deploy to, depend on, support,
        start at, close at, open at, live next to, live under, run with, run via, run in, go to, go in, go into,
        sit in, sit behind, listen on port, need, go through, end up in, come from, talk to, talk over, return,
        produce, emit, expose, point to, read from, write to, log to, start on, begin on, begin at, end on, happen on,
        happen at, happen every, happen through, happen via, happen from, run every, run at, pay by, pay in, pay with,
        default to, conform to, take place, speak, land in, feed into, sync to, sync with, belong to, consist of,
        store, cost, target, follow, expire on, expire in
"""
# I am ...ing, said of what goes on for long
GOING_ON = """
    fact 4: living in=live in, living at=live at, living with=live with, working at=work at, working for=work for,
        working as=work as, working in=work in, working with=work with, working on, studying, studying at=study at,
        learning, learning how to, training for, training to become, training to be, training as, studying to be,
        studying to become, writing a, building a, saving up for, saving for, dating, seeing a therapist, raising,
        teaching, volunteering at=volunteer at, volunteering with=volunteer with, mentoring, running for, expecting a,
        expecting twins, renovating, preparing for, recovering from, taking care of, doing a phd, doing my phd,
        doing my master's, pursuing, using=use, doing an apprenticeship, doing a master's, doing an internship,
        doing a course, writing articles, offering, juggling, balancing, taking lessons, taking classes,
        taking a class, taking a course, restoring, developing a, hosting a, working towards, trying out, looking into,
        getting into, reading a, playing, practicing, making a, designing, creating a, applying to, researching,
        organizing a, organising a, running a, starting a, focusing on, volunteering, coaching, fostering, planting,
        building my, looking for a job, looking for a new job, trying to quit, trying to learn, trying to lose
"""
# I have been ...ing
FOR_LONG = """
    fact 3: living, working, playing, learning, studying, teaching, practicing, practising, running, painting, dancing,
        writing, coding, programming, married, together, dating, vegan, vegetarian, sober, volunteering, collecting,
        training, singing, cooking, gardening, surfing, climbing, into, a fan of, using, drawing, a member of, friends
"""
# I ...ed
EVENTS = """
    event 4: started at, started as, moved to, moved from, turned, moved in with, moved into, moved back to,
        relocated to, got married, was born, were born, got engaged, got divorced, got a job, got a new job, got hired,
        got promoted, got fired, got laid off, got accepted, got into, got a dog, got a cat, got a puppy, got a kitten,
        passed away, died, got my degree, got my license, got my licence, got diagnosed with, got a tattoo,
        got a scholarship, graduated, graduated from, married, divorced, was born in, was born on, was diagnosed with,
        was promoted to, was hired, was fired, was laid off, was accepted to, was accepted into, was raised in,
        grew up in, bought, sold, adopted, founded, co-founded, opened, launched, joined, left, quit, retired,
        retired from, enrolled in, signed up for, started working, started a, started an, started my, cancelled,
        canceled, called off, gave up on, resigned from, resigned, became, gave birth, had a baby, had surgery,
        had an operation, broke my, lost my, passed my, failed my, won, published, self-published, released, earned,
        received, inherited, emigrated to, immigrated to, dropped out of, gave up, broke up with, broke up,
        split up with, split up, separated from, got rid of, gave away, was let go, switched to, switched from,
        migrated from, migrated to, adopted a, proposed to
    event 3: scored, entered, pitched, auditioned for, rescued, got to teach, got to meet, expanded, invested in,
        secured, landed, made friends with, got invited to, was invited to, was selected for, submitted, shut down,
        interned at, got selected for, coached, mentored, babysat, refinished, self-taught, competed against, watched,
        tried out, picked up, came across, started reading, started watching, got some new, got a new, visited,
        traveled to, travelled to, flew to, went to, went on, went hiking, went camping, went skiing, went surfing,
        went diving, went kayaking, went fishing, went climbing, attended, signed with, signed a, participated in,
        took part in, competed in, performed at, performed in, played at, organized, organised, hosted, ran a, ran the,
        ran my, volunteered at, volunteered for, volunteered with, donated, donated to, met, took a trip, took a class,
        took a course, took up, started learning, started taking, started playing, started volunteering,
        started teaching, started running, started going, started dating, started doing, finished, completed, climbed,
        hiked, built, wrote a, wrote my, painted a, painted an, designed a, created a, made a, learned, learned to,
        learned how to, learnt, learnt to, saw, planted, renovated, restored, recorded, presented, gave a talk,
        gave a speech, celebrated, hurt my, injured my, sprained, tore my, crashed my, planned a, applied to,
        applied for, interviewed at, interviewed with, lived in, worked at, worked for, worked as, worked in, studied,
        studied at, studied in, served in, played, taught, taught myself, discovered, raised, set up a, set up an,
        got back from, returned from, came back from, spent, accepted an offer from, accepted a position,
        got an offer from, accepted a job, was made redundant, got made redundant, relocated from,
        was born and raised in, went vegan,
        went vegetarian, upgraded to, upgraded from
"""
# I do not ...
ALONE = frozenset(
    """
    drive smoke drink swim cook fly ski skate snowboard dance sing vape gamble bike cycle surf dive jog run sew knit
    bake garden camp hike iron shave eat travel work exercise meditate vote pray party shop read flirt date freelance
""".split()
)
# What somebody means to do
LIFE = frozenset(
    """
    move visit travel fly go marry retire become start open launch buy sell adopt learn study enroll apply run
    climb hike volunteer propose graduate publish release quit leave join attend host celebrate take return
    relocate perform compete organize organise renovate build write record teach have get give present see meet
    ship migrate switch deploy upgrade
""".split()
)
AHEAD = frozenset(
    """
    moving visiting traveling travelling flying going getting starting running attending leaving joining having
    hosting performing competing graduating launching retiring opening presenting meeting taking driving giving
    returning adopting buying releasing shipping doing relocating
""".split()
)
IMPERATIVES = frozenset(
    """
    answer reply respond write use keep call address speak explain avoid stop include add format give ask run
    commit push test check show be put make remember refer translate prefer skip say start end talk sign name
    import follow cite quote summarize summarise tell update create open delete remove install read review mention
    send suggest treat document wrap indent sort prefix squash rebase merge lint type build deploy assume confirm
    mock touch edit spell stick limit drop leave spare cut be respond quote list provide structure start propose wait
    name pick choose count round convert express state follow apologise apologize hide log catch return pin verify
    validate repeat assign tag link print describe double-check attach label round default express capitalise capitalize
    abbreviate get begin point recommend encourage correct challenge teach phrase present sugar-coat sugarcoat lecture
    moralise moralize patronise patronize flatter hedge guess invent interrupt joke swear waffle ramble nag book
    greet thank praise compliment double scale modify overwrite reword paraphrase pad preface append insert warn consult
    notify close refuse compare consider mark flag bring omit shorten justify
""".split()
)
# I ...ed, where the day is said: any verb but those of talking, feeling and trying
PAST = frozenset(
    """
    went took gave made bought built wrote drew ran rode swam flew drove ate drank met saw won lost held had got
    spent taught learnt left brought caught chose broke fell hid hit hurt kept led read sang sold sent shot slept
    threw wore woke began became came found fought rang set felt heard spoke did knew thought said told stood understood
    meant sat lay paid shut beat bent bit bled blew bred burst clung crept dealt dug fed fled forgot forgave froze grew
    hung knelt laid leapt lent lit rose shook shone shrank sang sank slid sought stole stuck stung struck swore swept
    swung tore wept wound retook undertook overcame gotta last
""".split()
)
NO_EVENT = frozenset(
    """
    needed wanted tried talked connected chatted asked called texted emailed messaged mentioned noticed realized
    realised looked seemed wondered hoped loved liked enjoyed hated felt thought knew said told heard decided agreed
    appreciated missed remembered forgot expected used worried struggled cried laughed smiled managed turned happened
    ended kept started stopped needed showed shared checked fixed changed updated pushed committed merged added removed
    deleted implemented refactored debugged ran installed configured deployed tested edited copied renamed uploaded
    downloaded got set came came kept brought said led sent supposed believed guessed figured felt heard spoke did knew
    thought said told stood understood meant sat paid dealt forgot grew stuck last gotta planned ran encountered faced
    caught spoke attached pasted
""".split()
) - {"started"}
NO_HABIT = frozenset(
    """
    feel think look get try want need hope wonder forget remember know find see have am is are be do say tell hear
    believe make seem end keep appreciate guess mean understand agree wish love like enjoy prefer hate would could will
    can struggle worry fail run expect assume give come
""".split()
)
NO_LASTING = frozenset(
    """
    thinking feeling trying wanting looking going having getting doing hearing missing meaning wondering hoping
    struggling waiting seeing being telling talking asking debugging fixing staring searching dying keeping putting
    finding using dealing eyeing craving loving noticing considering reflecting falling
""".split()
)
FOR_ME = frozenset(
    """
    is are brings bring keeps keep helps help gives give makes calms calm inspires inspire fuels fuel relaxes relax
    means mean has have lets let reminds remind motivates motivate
""".split()
)
HAVING = frozenset(
    """
    gone taken written run given made won built seen visited traveled travelled grown met been read
""".split()
)
GOALS = frozenset(
    """
    be live help improve work spread give share explore expand grow promote inspire support raise teach create
    build get keep find win play bring continue meet finish experience encourage reach make
""".split()
)
MOMENTARY = frozenset(
    """
    notice suggest propose thank apologise apologize promise swear bet doubt request ask demand insist recall require
    lack spot sense experience face hit reach open click type enter press select load stop restart reboot install call
    send receive show return add remove change update set put move copy paste pass throw execute compile submit merge
    commit push pull check fix debug print log import export care matter sound smell owe deserve admit accept reject
    refuse regret dread disagree vote sign step turn pick drop break crash lose win shout cry laugh smile sit stand lie
    wait stay leave arrive start begin finish complete continue proceed switch mention refer point quote paste attach
    include exclude replace rename delete edit correct confirm deny cancel postpone schedule book order hurt bleed itch
    cough sneeze shiver sweat ache suck rock hold carry bring invoke iterate loop parse deserialise serialise allocate
    initialise initialize let remind bring instantiate define declare assign pay meet plan aim attempt
""".split()
)
BY_ITSELF = frozenset("work sleep travel cook bake run swim walk cycle commute meditate volunteer train".split())
# What is to be, told as what is
SCHEDULED = frozenset(
    "start begin finish end leave arrive fly go move turn retire graduate marry open launch return travel join come "
    "depart visit stay".split()
)
