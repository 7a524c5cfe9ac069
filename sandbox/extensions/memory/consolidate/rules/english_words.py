"""English nouns and other words that tell what is learnt, as data."""

KIN = frozenset(
    """
    sister brother mother mom mum father dad wife husband partner girlfriend boyfriend fiance fiancee fiancé fiancée
    son daughter kid child baby uncle aunt cousin nephew niece grandmother grandma grandfather grandpa granddad nana
    granny stepmother stepfather stepson stepdaughter stepbrother stepsister mother-in-law father-in-law sister-in-law
    brother-in-law son-in-law daughter-in-law twin boss manager supervisor colleague coworker co-worker teammate mentor
    roommate flatmate housemate neighbor neighbour landlord landlady friend buddy teacher coach therapist doctor
    dentist accountant lawyer assistant co-founder cofounder ex parents kids children sisters brothers sons daughters
    grandparents twins cousins friends colleagues spouse grandson granddaughter grandchild grandchildren godson
    goddaughter godmother godfather in-laws half-brother half-sister stepmum stepdad sibling siblings auntie pal bestie
    classmate tenant client supplier advisor adviser nanny babysitter au-pair cleaner gardener plumber hairdresser
    barber trainer tutor instructor vet physio physiotherapist counsellor psychologist psychiatrist realtor notary
    solicitor agent publisher editor professor supervisor apprentice intern deputy successor predecessor bandmate carer
    caretaker midwife neighbours neighbors nephews nieces aunts uncles grandkids teammates coworkers clients
""".split()
)
SETTINGS = frozenset(  # what is chosen once, for a project, a household or oneself
    """
    branch prefix suffix style convention conventions format standard port version license licence default limit timeout
    environment region provider registry framework linter formatter bundler compiler interpreter runtime namespace
    bucket domain subdomain hostname endpoint schema charset encoding locale currency tax rate fee price discount board
    tracker wiki dashboard queue broker cache directory folder path root entrypoint manager orchestrator scheduler proxy
    gateway dns cdn warehouse orm template engine theme font palette logo slogan mascot codename abbreviation owner
    maintainer lead on-call freeze cadence schedule sprint stand-up standup retrospective retro planning frequency
    interval window quota target kpi deadline migrations migration backups backup logs log dates releases builds
    secrets metrics alerts invoices payments orders customers users events assets images styles translations fixtures
    features tickets issues bugs reviews flags routes handlers models types errors messages reports
    passwords jobs workers rules policy policies vendor supplier bank insurer isp carrier router modem thermostat
    config configuration deploys deployments rollouts
    length width indentation quorum language tooling toolchain ide terminal shell browser launcher
""".split()
)
SHE = frozenset(
    """
    sister mother mom mum wife girlfriend fiancee fiancée daughter aunt niece grandmother grandma nana granny
    stepmother stepdaughter stepsister mother-in-law sister-in-law daughter-in-law landlady granddaughter goddaughter
    godmother half-sister stepmum auntie midwife
""".split()
)
HE = frozenset(
    """
    brother father dad husband boyfriend fiance fiancé son uncle nephew grandfather grandpa granddad stepfather
    stepson stepbrother father-in-law brother-in-law son-in-law landlord grandson godson godfather half-brother stepdad
""".split()
)
PETS = frozenset(
    """
    dog cat puppy kitten hamster rabbit parrot horse pet turtle tortoise snake goldfish bird gecko lizard ferret
    bunny pup kitty beagle labrador retriever poodle terrier corgi dachshund husky collie greyhound whippet spaniel
    bulldog chihuahua dalmatian pug schnauzer mutt spaniel pointer setter rottweiler dobermann doberman sheepdog
    shepherd siamese tabby persian calico tomcat parakeet canary budgie cockatiel cockatoo guinea-pig pony mare donkey
    goat hen chinchilla hedgehog axolotl tarantula rat dogs cats puppies kittens hamsters rabbits parrots horses pets
    turtles snakes birds chickens
""".split()
)
ATTRIBUTES = frozenset(
    """
    name nickname surname birthday age email e-mail address phone number username handle hometown job profession
    occupation hobby hobbies passion dream goal height weight diet timezone pronouns anniversary salary religion
    nationality language major degree blood-type allergy allergies website github title role size budget position
    specialty speciality motto portfolio homepage linkedin twitter instagram mastodon telegram profile calendar fax iban
    rent wage bedtime oven stove mother-tongue
""".split()
)
THINGS = frozenset(
    """
    company startup business team project store shop studio restaurant band blog podcast channel book novel garden
    house home apartment flat place car truck van bike motorcycle boat guitar piano laptop computer phone office
    school university college gym club church farm town city village country neighborhood neighbourhood desk
    keyboard editor shell os stack backend frontend database repo repository codebase app application service
    server api cluster ci pipeline build website site family class course thesis phd
""".split()
)
HAPPENINGS = frozenset(
    """
    wedding flight appointment interview exam meeting trip vacation holiday conference deadline launch release demo
    party surgery operation presentation birthday anniversary graduation concert move marathon race tournament
    recital exhibition opening review checkup lesson class visit reunion course shift move-in thesis defense defence
    standup retro sprint kickoff migration cutover go-live workshop seminar talk show
""".split()
)
SYSTEMS = frozenset(
    """
    project repo repository codebase backend frontend database db server api app application service staging
    production prod ci pipeline build website site cluster deployment company team office deadline launch release
    budget client customer package library monorepo test tests suite docs documentation main master prs preprod
""".split()
)
PROFESSIONS = frozenset(
    """
    accountant actor actress analyst animator architect artist astronomer attorney baker banker barber barista
    bartender biologist bookkeeper builder bus-driver butcher carpenter cashier chef chemist cleaner coach
    consultant cook dancer dentist designer dermatologist developer dietitian director doctor driver economist
    editor electrician engineer entrepreneur farmer firefighter florist freelancer gardener geologist goldsmith
    hairdresser historian illustrator investor janitor journalist judge lawyer lecturer librarian lifeguard
    linguist machinist manager mathematician mechanic midwife musician neurologist nurse nutritionist officer
    optician painter paramedic pediatrician pharmacist photographer physician physicist physiotherapist pianist
    pilot plumber policeman policewoman politician postman potter producer professor programmer psychiatrist
    psychologist radiologist realtor receptionist reporter researcher salesman salesperson scientist sculptor
    secretary singer soldier statistician surgeon surveyor tailor teacher technician therapist translator
    truck-driver tutor vet veterinarian waiter waitress welder writer zoologist admin administrator sysadmin devops
    intern paralegal plumber nanny babysitter cto cfo ceo coo lecturer gardener carer caregiver jeweller tiler roofer
    bricklayer glazier locksmith optometrist podiatrist chiropractor osteopath radiographer anaesthetist surveyor
    statistician beekeeper brewer winemaker shepherd fisherman forester miner sailor steward stewardess courier
    cyclist-courier cabbie trucker bookseller publisher copywriter proofreader translator-interpreter interpreter
    diplomat detective bailiff solicitor barrister notary magistrate prosecutor minister priest imam rabbi monk nun
    curator archivist archaeologist anthropologist sociologist philosopher ecologist botanist geographer meteorologist
    conductor composer violinist cellist drummer guitarist bassist organist dj comedian magician stuntman cameraman
    choreographer playwright screenwriter novelist poet blogger youtuber streamer podcaster tester scrum-master
    freelancer contractor handyman housekeeper butler concierge hotelier restaurateur sommelier pastry-chef
    confectioner greengrocer cobbler seamstress weaver blacksmith watchmaker luthier upholsterer stonemason
""".split()
)
PLURAL = frozenset(
    """
    parents kids children sisters brothers sons daughters grandparents twins cousins friends colleagues dogs cats
    puppies in-laws siblings grandchildren grandkids neighbours neighbors nephews nieces aunts uncles teammates
    coworkers clients kittens hamsters rabbits parrots horses pets turtles snakes birds chickens tests docs
""".split()
)
NOUNS = KIN | PETS | ATTRIBUTES | THINGS | HAPPENINGS | SYSTEMS
HAVE = (
    frozenset(
        """
    asthma diabetes adhd autism epilepsy dyslexia anxiety depression arthritis migraines insomnia eczema allergy
    allergies celiac degree master's masters bachelor's phd mba diploma tattoo tattoos license licence house apartment
    flat cottage farm garden car motorcycle bike van boat piano guitar violin drum cello ukulele flute blog podcast
    channel website newsletter company business startup shop store restaurant bakery studio stove oven fridge freezer
    dishwasher dryer balcony pool fireplace printer e-bike ebike tent camera iphone pixel android laptop computer pc
    xbox playstation ps5 switch console tv television boat caravan camper pressure asthma hypertension allergy
    intolerance condition pacemaker braces glasses office headquarters pension mortgage lease visa permit green-card
    accent twin certificate certification insurance membership machine lawn yard basement attic sauna treadmill
    telescope drone hob stutter scoliosis tinnitus gout anemia endometriosis psoriasis spot tooth weakness passion
    aversion phobia stammer limp knack nickname background subscription citizenship passport collection greenhouse
    garage workshop motorbike scooter tesla macbook thinkpad
""".split()
    )
    | KIN
    | PETS
)
STYLE = frozenset(
    """
    answer answers reply replies respond responses response emojis emoji language tone markdown tables bullet
    bullets concise brief short shorter formal informal jargon verbose english russian german french spanish
    italian comments headings explanations summary summaries metric imperial formatting spelling units paragraph
    paragraphs semicolons tabs spaces docstrings sentence sentences swearing slang exclamation sarcasm disclaimers
    disclaimer apologies apology celsius fahrenheit kilometers miles code-blocks lists abbreviations acronyms lowercase
    uppercase british american dutch portuguese japanese chinese polish swedish filler preamble preambles
    smileys smiley flattery pleasantries hashtags analogies
""".split()
)
DROPPED = frozenset(
    """
    really much just actually currently now still finally already recently totally absolutely definitely honestly kinda
    also basically literally truly simply certainly obviously personally presently lately even more probably super
    quite pretty always-been officially newly since too generally
""".split()
) - {"probably", "since", "too"}
KEPT = frozenset(
    "always only usually often mostly mainly normally typically never rarely hardly sometimes regularly".split()
)
LEADS = """
    hey there, hey, ugh, argh, um, uh, hmm, right, alright, well, hi there, hi, hello, yeah, yep, yup, yes, no, oh, ah,
    wow, ok, okay, sure, thanks, thank you, so, and, but, also, plus, anyway, btw, by the way, fyi,
    for your information, for the record, for context, just so you know, just to let you know, note that,
    remember that, remember, keep in mind that, please remember that, please note that, you should know that,
    you should remember that, now, you should know, as you know, in case you wonder, to be honest, tbh, honestly,
    actually, in fact, i mean, you know, good news, great news, big news, guess what, unfortunately, sadly, luckily,
    fortunately, finally, first of all, then, personally, as for me, i should mention that, i should mention,
    let me tell you, i forgot to mention that, i wanted to tell you that, fun fact, turns out, it turns out,
    as it turns out, i'm happy to say, i just wanted to say that, speaking of which, currently, right now, recently,
    lately, nowadays, these days, at the moment, change of plan, change of plans, new plan, plans have changed,
    plans changed, on second thought, same here, me too,
    not much, nothing much, i'm good, i'm fine, i meant to say that, i meant to say, i meant that, i meant, correction,
    my mistake, my bad, typo, scratch that, note to self, quick update, update, small update, some background,
    some context, context, background, good to know, please remember, please note, don't forget that, don't forget,
    of course, for sure, absolutely, definitely, sorry, no wait, wait, oops, nope
"""
TRAILING = """
    too, as well, though, now, right now, at the moment, these days, nowadays, currently, lately, recently, together,
    by the way, btw, fyi, actually, already, anymore, any more, any longer, again, either, instead, lol, haha, hehe,
    you know, of course, for sure, so far, as you know, after all, just so you know, thanks, please, finally, myself,
    so much, tbh, ngl, ever, at all, to be honest, a lot, very much, the most, etc, yet, for instance,
    for example, or so, soon
"""
UNSURE = frozenset(
    """
    if maybe perhaps might would could wish imagine suppose supposing unless probably hopefully wonder wondering
    guess pretend hypothetically whether should thinking considering wouldn't couldn't shouldn't possibly may-be
""".split()
)
JOKES = frozenset("jk kidding joking sarcasm".split())
PRONOUNS = frozenset(
    """
    it its this that these those he she they him her them his hers their theirs there here you your yours we us our
    ours what which who one ones something someone somebody anything stuff thing such else same myself ourselves
    yourself itself himself herself themselves i me my mine others it's that's
""".split()
)
PASSING = frozenset(
    """
    question problem issue bug error headache cold meeting look feeling idea doubt moment minute second bit lot mess
    blast break chat call great good bad fun nice time tough rough day week store shop supermarket bathroom toilet bed
    sleep dinner lunch breakfast way point chance thought errands work gym stuff task ticket pr fix function
""".split()
)
TASKS = frozenset(
    """
    news function branch typo file script class test tests bug pr commit method variable component endpoint table column
    query change changes fix patch module package repo config ticket issue error mistake message email call note
    list look step lot bit ton bunch blast time day week break chat conversation moment point decision effort
    progress try nap shower walk setback laugh days battle ride moment feeling gift experience start role
    difference impact sense
""".split()
)
DANGLING = frozenset(
    """
    the a an of to for with and or at in on my by from about than as like really so very just few lot bit couple ton
    bunch some more most many much all any lots tons loads into is are be was out up over hard harder well lately ones
    one's every each ever
""".split()
)
VAGUE = frozenset(
    """
        project place thing things team people event game games idea ideas plan plans folks guys lots tons stuff
        stories way ways
    """.split()
)
NO_BEING = frozenset(
    "number matter loser disaster winner bother monster sucker wonder mirror error former latter other".split()
)
LASTING = frozenset(
    """
    vegetarian vegan student beginner runner swimmer cyclist climber diver surfer gamer reader owner founder member
    parent mother father mom mum dad twin veteran immigrant refugee native widow widower bachelor grandmother
    grandfather freelancer christian muslim jew catholic buddhist atheist citizen resident volunteer minimalist
    perfectionist introvert extrovert extravert lefty person lover enthusiast collector believer survivor graduate
    foodie bookworm fan expert newbie retriever labrador poodle beagle terrier shepherd corgi dachshund husky
    collie siamese persian maine-coon tabby major speaker ceo cfo cto coo cio cmo head lead captain chair chairman
    chairwoman president vice-president treasurer mayor principal dean chief representative ambassador trustee
    freshman sophomore junior senior postdoc pensioner retiree teetotaller teetotaler pescetarian omnivore newcomer
    expat orphan caregiver carer homeowner landlord tenant subscriber customer regular alumnus alumna fellow
""".split()
)
ORGANISATIONS = frozenset(
    "company startup business team firm agency shop store studio restaurant band club choir school department lab "
    "charity church family cooperative co-op office group crew".split()
)
NOUNS_IN_ING = (  # of whom something is, in a pattern: "my cousin's wedding"
    "wedding|meeting|building|painting|clothing|housewarming|upbringing|earring|ring|wing|thing|king|string|spring"
    "|morning|evening|ceiling|sibling|offspring|blessing|funding|pricing|handwriting"
)
# What a clause may begin with that is of a project, in a pattern, and its verbs
VERBS = r"(?:is|are|lives?|works?|has|loves?|likes?|hates?|plays?|uses?|runs?|goes|studies|prefers?|needs?|speaks?)"
HERE = r"for us|(?:around )?here|in (?:this|our|the) (?:\w+ )?(?:repo|repository|project|codebase|monorepo|package|app)"
PROJECT = (
    rf"(?:prod|production|staging|preprod|dev|main|master|CI|PRs|(?:the )?(?:API|backend|frontend|database))"
    rf" (?:{VERBS}|lands?|gets?|live|need|use|run)\b"
)
