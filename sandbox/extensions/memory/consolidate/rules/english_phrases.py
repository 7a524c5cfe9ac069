"""English sentences in other words than the rules know, and what they mean in those, as data."""

_WHO = r"(?P<who>I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|(?:[Mm]y|[Oo]ur) [\w-]+(?: [A-Z]\w+)?|[A-Z]\w+)"
_NOT_ONE = r"(?!(?:it|this|that|these|those|they|he|she|there|what|which|not|I|we)\b)"
_NAME = r"[A-Z][\w-]+(?: [A-Z][\w-]+)?"
_NEW_HOME = r"(?:my|our|the) (?:\w+ )?new (?:\w+ )?(?:place|flat|apartment|house|home|studio|condo)"
_MEDICINE = (
    r"(?:insulin|anti(?:biotics|depressants|histamines)|blood thinners|beta blockers|statins|the pill|metformin|chemo"
    r"|(?:\w+ )?(?:medication|meds|tablets)(?: for [\w -]+)?)"
)
_STAYS = r"(?!.*\b(?:until|till|for (?:an?|the|two|three|\d)|this|today|tonight|tomorrow|next)\b)"
_SUCCEEDS = r"(?:(?:has |will |is )?(?:tak\w+|took) over(?: from [\w ]+?)?|(?:is )?replac(?:es|ed|ing) [\w ]+?)"
_OFFICE = r"(?:\w+ )?(?:manager|boss|supervisor|lead|landlord|landlady|doctor|dentist|therapist|mentor|coach|gp)"

# A text that must be in it, what is said, and what that means.
_ROWS: tuple[tuple[str, str, str], ...] = (
    # tastes
    (" over ", rf"^{_NOT_ONE}(?P<one>[\w' -]{{2,30}}?) over (?P<other>[\w' -]{{2,30}}?),? (?:always|any ?(?:day|time)"
     r"(?: of the week)?|every (?:day|time)|for me)$", r"I prefer \g<one> over \g<other>"),
    ("would ", rf"^{_WHO} would (?:always |much )?(?:take|choose|pick|prefer) (?P<one>.+?) (?P<to>over|to|instead of) "
     r"(?P<other>.+?)(?:,? any ?(?:day|time)(?: of the week)?)?$", r"\g<who> prefer \g<one> \g<to> \g<other>"),
    (" my ", rf"^{_NOT_ONE}(?:the )?(?P<what>[\w' -]{{2,40}}?) (?:is|are) not (?:really |so |quite |exactly |just )*my "
     r"(?:thing|cup of tea|jam|style|kind of thing)\b.*$", r"I do not like \g<what>"),
    (" my ", rf"^{_NOT_ONE}(?P<what>[\w' -]{{2,40}}?) (?:is|are) (?:really |so |totally |just )*my (?:thing|cup of tea"
     r"|jam|style|kind of thing)\b.*$", r"I like \g<what>"),
    ("for me", rf"^{_NOT_ONE}(?P<what>[\w' -]{{2,40}}?) (?:is|are) not for me$", r"I do not like \g<what>"),
    (" care ", rf"^{_WHO} (?P<not>do|does) not (?:really |much |particularly )*care (?:much |a lot )?for "
     r"(?P<what>.+)$", r"\g<who> \g<not> not like \g<what>"),
    ("could ", rf"^{_WHO} could (?:happily )?(?:eat|drink|watch|listen to|read"
     rf"|play) (?P<what>.+?) (?:every (?:single )?"
     r"day|all (?:day|night)(?: long)?|forever|for (?:hours|ever)|day and night|on repeat)$", r"\g<who> love \g<what>"),
    ("othing beats", r"^(?:there is )?nothing beats (?P<what>.+)$", r"I love \g<what>"),
    ("never ", rf"^{_WHO} (?:have |has )?never (?:really |much |quite )*(?:like|love|enjoy|care for|liked|enjoyed|loved"
     r"|cared for|been into|been (?:a (?:big |huge |great )?fan of|keen on|fond of)|got(?:ten)? into) "
     r"(?P<what>.+)$", r"\g<who> do not like \g<what>"),
    ("go-to ", r"\b(?P<my>my|our) go-to (?!for\b|in\b)(?=[a-z])", r"\g<my> favourite "),
    ("more of", rf"^{_WHO} (?:am|are|is) more of (?P<what>an? .+?)(?: than .+)?$", r"\g<who> am \g<what>"),
    (" I ", rf"^{_NOT_ONE}(?P<what>[\w' -]{{2,40}}?) (?:is|are) (?:about |probably |pretty much )*(?:the |my )?(?:one"
     r"|only|first|last) (?:\w+ )?(?:that )?I (?P<does>(?:really |just |always )?(?:can not|do not|will not|never|hate"
     r"|love|avoid|refuse to|miss)(?: (?:eat|stand|drink|like|do|touch|bear|tolerate|stomach|handle|have|listen to"
     r"|watch|wear|use))?)(?=$|,| and )", r"I \g<does> \g<what>"),
    (" me", rf"^{_NOT_ONE}(?!(?:the|my|our|your|his|her) )(?P<what>[\w' -]{{2,40}}?) (?:just |really |always "
     rf"|absolutely "
     r"|kind of |totally )*(?:makes? me (?:gag|sick|nauseous|queasy|anxious|nervous|cringe)|grosse?s? me out"
     r"|gives? me (?:the creeps|the ick|headaches|a headache|migraines|hives|heartburn|anxiety)|drives? me (?:nuts"
     r"|crazy"
     r"|mad|insane|up the wall)|bores? me(?: to (?:death|tears))?|disgusts? me|annoys? me|(?:creep|freak|stress"
     r"|wear)s? me"
     r" out|turns? me off|do(?:es)? not (?:really )?agree with me)(?=$|,)", r"I dislike \g<what>"),
    (" on my nerves", rf"^{_NOT_ONE}(?!(?:the|my|our|your|his|her) )(?P<what>[\w' -]{{2,40}}?) (?:just |really "
     rf"|always )*"
     r"(?:gets?|grates?) on my nerves(?=$|,)", r"I dislike \g<what>"),
    ("could ", rf"^{_WHO} could (?:happily |easily )?(?:live|survive) (?:on|off) (?P<what>.+)$",
     r"\g<who> love \g<what>"),
    (" to ", rf"^{_WHO} (?:have |has )?(?:really |slowly |recently )*(?:grown|come|learnt|learned|started"
     rf"|begun) to (?P<verb>like"
     r"|love|enjoy|appreciate|hate|dislike|prefer) (?=[a-z])", r"\g<who> \g<verb> "),
    (" off ", rf"^{_WHO} (?:have |has )?(?:really |completely |totally )*(?:gone|went) off (?!to\b|on\b|the\b|my\b"
     rf"|with\b"
     r"|for\b|and\b)(?P<what>\w[\w' -]*?)(?: lately| recently)?$", r"\g<who> no longer like \g<what>"),
    ("of choice", r"^(?P<my>my|our) (?P<what>[\w -]+?) of choice (?=is\b|are\b)", r"\g<my> preferred \g<what> "),
    (" do", rf"^{_WHO} (?:do|does) not do (?:(?:well|great) (?:with|in|at) )?(?P<what>(?!this|that|it\b|the\b|my\b"
     rf"|our\b|much|any|so\b|well\b|good\b)[\w' -]{{3,25}})$",
     r"\g<who> avoid \g<what>"),
    ("will not ", rf"^{_WHO} will not (?P<verb>touch|eat|drink|wear|watch|buy|use|read) ",
     r"\g<who> do not \g<verb> "),
    ("tend", rf"^{_WHO} tends? to (?=[a-z])", r"\g<who> usually "),
    (", never ", r"^(?P<what>we (?:[a-z]+ )?(?P<verb>use|deploy (?:to|with)|test with|build with) [^,]+?), never "
     r"(?P<old>(?!(?:the|just|only|again|elsewhere)\b)[\w.+#-]+)$", r"\g<what> and we never \g<verb> \g<old>"),
    # homes and origins
    ("home", rf"^{_WHO} (?:now )?calls? (?P<where>[A-Z][\w' -]*?) (?:my |our )?(?:new )?home\b.*$",
     r"\g<who> live in \g<where>"),
    ("ome ", r"^(?:my |our )?home (?:for (?:me|us) )?is (?:now )?(?:in )?(?P<where>[A-Z].*)$", r"I live in \g<where>"),
    (" something ", rf"^{_NOT_ONE}(?P<what>[\w' -]{{3,60}}?) (?:is|are) (?:definitely |really "
     rf"|also )?something (?:that |which )?"
     r"(?:I|we) (?:really |truly |always )?(?P<verb>enjoy|love|like|hate|cherish|value|dislike)\b.*$",
     r"I \g<verb> \g<what>"),
    ("new ", r"^(?:(?:my|our|the) )?new (?:place|flat|apartment|house|home) is (?:now )?in "
     r"(?P<where>[A-Z][\w' -]*)(?:,.*)?$", r"I moved to \g<where>"),
    ("oved", r"^(?:(?:I|we) (?:have )?)?(?:just |finally )*moved,? (?:and |so |now )*(?:I am|we are) (?:now |living )*"
     r"in (?P<where>[A-Z][\w' -]*?)(?: now)?$", r"I moved to \g<where>"),
    (" just ", r"\b(?P<lives>lives?|living|based) (?:just|right|way) (?=outside|north|south|east|west|off|next|near|by"
     r"|above|below|behind|across|over|in\b)", r"\g<lives> "),
    (" new ", r"^(?:(?:my|our) )?(?:first|second|third|\d\w*) (?:few )?(?:day|night|week|weekend|month"
     r"|morning)s? (?:here )?"
     rf"(?:in|at) {_NEW_HOME} in (?P<where>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)(?=$|,| and| -)", r"I moved to \g<where>"),
    (" new ", rf"^{_WHO} (?:am|are|have been|love|like|got|just got) (?:now |finally |all |so |settl\w+ "
     rf"|unpack\w+ )*(?:in(?:to)?"
     rf"|at|the keys (?:to|for|of)|moved into) {_NEW_HOME} in (?P<where>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*?)(?: now)?(?=$"
     rf"|,| and)",
     r"\g<who> moved to \g<where>"),
    (", ", rf"^{_WHO} (?:no longer live|do not live|(?:have )?left|(?:have )?moved out of) (?:in )?(?P<old>{_NAME})"
     rf"(?: any ?more)?,? (?:and |so |but )*(?:I am|we are) (?:now )?in (?P<where>{_NAME})(?: now)?$",
     r"\g<who> moved from \g<old> to \g<where>"),
    ("raised in", r"^(?:I (?:was |am )?)?born and (?:raised|bred) in (?P<where>[A-Z][\w' -]*?),? (?:(?:and "
     r"|but )?(?:now )?living|(?:and"
     r" |but )?based) (?:now )?in ", r"I was born in \g<where>, I live in "),
    ("oving ", r"^(?P<am>(?:I am|we are) moving) (?:house|home|flats?|apartments?|away"
     r"|out) (?P<when>[^,]*?),? to (?P<where>[A-Z]"
     r"[\w'-]*)$", r"\g<am> to \g<where> \g<when>"),
    # plans
    (" due ", r"^(?P<who>I|[Ww]e) (?:am|are) due (?=in |on |next |any )", r"\g<who> am expecting a baby "),
    (" leave", rf"^{_WHO} (?P<be>am|are|is) (?:going|off) on (?=(?:\w+ )?(?:leave|sabbatical)\b)",
     r"\g<who> \g<be> taking "),
    ("it ", r"^(?:(?:the|my|our) )?(?P<what>[\w ]+?) (?:just )?(?:called|rang|phoned|emailed|wrote)(?: me| us)?,? "
     r"(?:and )?it (?:is|was|got|has been|had to be) (?P<how>(?:(?:moved|pushed|rescheduled|postponed)(?: back| up)? "
     r"(?:to|until) |cancell?ed$|off$))",
     r"\g<what> is \g<how>"),
    # work
    (" one", rf"^{_WHO} (?P<one>(?:has|have) (?:an?|the) [a-z]+) (?P<noun>[a-z]+),? (?:and |but )?(?P<other>(?:I|my \w+"
     r"|[A-Z]\w+) (?:has|have) an? [a-z]+) one$", r"\g<who> \g<one> \g<noun>, \g<other> \g<noun>"),
    (" allergy", rf"^{_WHO} (?:have|has) (?:an?|the) (?P<what>[a-z]+) allergy$", r"\g<who> am allergic to \g<what>"),
    ("ame is ", r"^(?P<what>(?:my|our) (?:[\w' -]+'s )?(?:sur|last |first )?name) is (?:actually )?(?:spelled|spelt"
     r"|written) (?P<name>[A-Z][\w'-]*)(?:,? with(?:out)? .*)?$", r"\g<what> is \g<name>"),
    ("reelance", rf"^{_WHO} (?:have |has )?(?:just |finally |recently )*(?:went|gone|going|turned|am going"
     rf"|are going) (?:back to )?"
     r"(?:fully |full-time )?freelance(?=$|[,!])", r"\g<who> work as a freelancer now"),
    (" the ", rf"^{_WHO} (?:(?:just |finally )*(?:got|landed|took|accepted)|have (?:got|taken|accepted)) (?:the|a"
     rf"|that) (?:new )?"
     r"(?:job|gig|position|role|post) (?P<how>at|with|in) (?=the |[A-Z])", r"\g<who> got a job \g<how> "),
    (" me ", r"^(?:they|my \w+|the \w+)(?: have| has| just)* (?:made|promoted|appointed"
     r"|named) me (?:to )?(?:the )?(?:new )?"
     r"(?=(?:\w+ )?(?:head|lead|director|manager|supervisor|team lead|chief|partner|captain|editor|principal"
     r"|foreman)\b)",
     "I am now "),
    (" me ", r"^(?:they|my \w+|the \w+)(?: have| has| just)* (?:let me go|fired me|laid me off|made me redundant)",
     "I was laid off"),
    ("ast day ", r"^my last day (?:at|with|for) (?P<where>(?:the )?[\w&. -]+?) is (?=\w)",
     r"I am leaving \g<where> on "),
    ("ast day ", r"^my last day (?:at|with|for) (?P<where>(?:the )?[\w&. -]+?) was (?=\w)", r"I left \g<where> "),
    ("from ", rf"^{_WHO} (?:have |has )?(?:just |finally |recently )*(?:changed|switched|swapped|moved"
     rf"|transferred)(?: my| our| his"
     r"| her)? (?:majors?|courses?|degrees?|studies|fields?|subjects?|programmes?|diet|careers?|jobs?|teams?"
     r"|instruments?"
     r"|sports?|banks?|providers?) from ", r"\g<who> switched from "),
    (" for ", rf"^{_WHO} (?:have |has )?(?:just |finally |recently )*(?:swapped|traded|exchanged|ditched|dropped"
     rf"|gave up)(?: out"
     r"| in)? (?P<old>(?:my |our |the |an? )?[\w+#.-]+(?: [\w+#.-]+)?) for (?P<new>(?:an? )?[\w+#.-]+(?: [\w+#.-]+)?)$",
     r"\g<who> switched from \g<old> to \g<new>"),
    ("job is", r"^my (?:day |current |main )?job is (?:at|with) ", "I work at "),
    ("job is", r"^my (?:day |current |main )?job is (?:as |being )?(?=an? )", "I work as "),
    ("reelancing", rf"^{_WHO} (?:am|are|is) (?:now )?freelancing(?: full-time)?(?P<now> now)?$",
     r"\g<who> work as a freelancer\g<now>"),
    ("my ", rf"^(?P<who>{_NAME}) (?:{_SUCCEEDS} as|is now|is(?= my new)) my (?:new )?(?P<what>{_OFFICE})$",
     r"my new \g<what> is \g<who>"),
    ("no longer", rf"^{_WHO} (?:am|are|is) no longer (?:working )?(?:at|with|for) (?P<where>[A-Z][\w&.-]*)",
     r"\g<who> left \g<where>"),
    # oneself
    ("proud ", r"\b(?P<the>an?|the) proud (?=(?:new )?(?:owner|parent|father|mother|dad|mum|mom|grand))",
     r"\g<the> "),
    ("'s ", r"^the (?:repo|project|app|company|team|site|product|firm|business)'s (?=[a-z])", "the "),
    (" I have ", r"^(?P<what>\w.*?) (?:is|was|are) (?P<the>the (?:best|worst|most \w+) [\w ]+?) (?:that )?I have "
     r"(?:ever )?\w+$", r"\g<what> is \g<the>"),
    ("ame is", r"^name is (?=[A-Z])", "my name is "),
    ("ll ", r"^[Aa]ll (?:of )?(?P<my>our|my) (?=[a-z])", r"\g<my> "),
    (" to ", rf"^{_WHO} go(?:es)? to (?=(?:[A-Z][\w'-]* ){{1,3}}(?:primary|elementary|middle|high|secondary|grammar"
     rf"|school|college"
     r"|university|academy|nursery|kindergarten)\b|(?:nursery|kindergarten|day ?care|preschool|university|college|uni"
     r"|boarding"
     r" school|night school) ?(?:$|in\b|at\b|on\b))", r"\g<who> attend "),
    (" in law", r"\b(?P<kin>mother|father|sister|brother|son|daughter|parents) in law\b", r"\g<kin>-in-law"),
    ("he ", r"^the (?=(?:twins|kids|children|baby|dogs?|cats?|puppy|kitten) (?:is|are|has|have|goes|go|starts?|loves?"
     r"|hates?"
     r"|turned|was|were)\b)", "my "),
    (" on ", rf"^{_WHO} (?:am|are|is) (?:currently |still |now )*on (?=(?:{_MEDICINE}|an? [\w-]+(?: [\w-]+)? diet)\b)",
     r"\g<who> take "),
    (" on ", rf"^{_WHO} (?:am|are|is) (?:no longer|not) on (?P<what>{_MEDICINE})(?: any ?more)?$",
     r"\g<who> no longer take \g<what>"),
    (" off ", rf"^{_WHO} (?:(?:am|are|is|have been)(?: now| finally| completely)* off|(?:came|have come|went"
     rf"|got) off) (?:the |my )?"
     rf"(?P<what>{_MEDICINE}|gluten|sugar|dairy|meat|alcohol|caffeine|coffee|carbs|cigarettes|social media)(?: now)?$",
     r"\g<who> gave up \g<what>"),
    (" days are ", r"^my (?P<what>[\w -]{3,20}?) days are (?:over|behind me|done|long gone)$", r"I gave up \g<what>"),
    (" let ", rf"^{_WHO} (?:have )?let (?P<what>(?:my|our|the) [\w -]{{3,40}}?) (?:lapse|expire|run out)$",
     r"\g<who> cancelled \g<what>"),
    (" for good", rf"^{_WHO} (?:am|are|is) (?:so |finally )?(?:done|through|finished) with (?P<what>(?!the\b|this\b"
     rf"|that\b|it\b"
     r"|my\b)[\w -]{3,25}?) for good$", r"\g<who> gave up \g<what>"),
    ("y name ", rf"^{_WHO} (?:have )?(?:legally |just |officially )*changed my (?P<which>(?:first |last "
     rf"|sur)?name) (?:from \w+ )?to ",
     r"my \g<which> is now "),
    ("ere", r"^(?:over )?here,? (?=we )", ""),
    ("ing ", r"^(?P<who>(?:[Mm]y|[Oo]ur) [\w-]+(?: [A-Z]\w+)?|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+) (?P<be>are|is) (?:coming"
     r"|flying"
     r"|driving) (?:in|over|up|down|round)(?: here)? (?=on |this |next |tomorrow|in )", r"\g<who> \g<be> visiting us "),
    ("off to", rf"^{_WHO} (?P<be>am|are|is) off to ", r"\g<who> \g<be> going to "),
    (" of ", rf"^{_WHO} (?P<be>am|are|is) (?:kind|sort) of ", r"\g<who> \g<be> "),
)  # fmt: skip
# What must be in it, a phrase behind who does it, and the verb that means the same.
_VERBS = (
    ("can not ", "can not (?:bear|abide)", "can not stand"), (" by ", "swears? by", "love"),
    (" enough of", "can (?:not|never) get enough of", "love"),
    (" of ", "(?:(?:always|usually|try to|tend to) )*(?:steer|stay|keep) clear of", "avoid"),
    (" away ", "(?:(?:always|usually|try to|tend to) )*(?:steer|stay|keep) away from", "avoid"),
    (" from ", "(?:originally )?hails? from", "come from"), ("serve", "serves? as", "work as"),
    (" living ", "(?:make|earn)s? (?:my|our|his|her|a) living (?:as|by being)", "work as"),
    (" in ", "(?:handed|put|gave) in (?:my|our|his|her|their) (?:notice|resignation) (?:at|to)", "resigned from"),
    (" employed ", "(?:am|are|is) (?:currently )?employed as", "work as"),
    (" employed ", "(?:am|are|is) (?:currently )?employed (?:at|by|with)", "work for"),
    (" myself", "(?:would )?(?:(?:always|still) )?(?:describe|call|consider|see) myself(?: as)?", "am"),
    (" ended up ", "ended up(?: living)? in(?= [A-Z])", "live in"),
    (" back in ", rf"(?:am|are|is) back in(?= [A-Z]){_STAYS}", "live in"),
    (" for ", r"(?:usually |mostly |always )?(?:go|goes|opt|opts) for(?! (?:an? (?:\w+ )?(?:run|walk|swim|ride|jog"
     r"|hike|drive"
     r"|stroll|drink|bike ride)|runs|walks|swims|rides|hikes)\b)", "prefer"),
    (" promoted ", "(?:have|has) been promoted", "got promoted"), (" stick", "(?:(?:usually|mostly|always"
     "|just) )?sticks? (?:to|with)(?= [a-z])", "prefer"),
    (" always ", "(?:am|are|is) always (?:happy with|up for|game for|down for|glad of|in for)", "like"),
    (" settled ", "(?:have |has |am |are |is )?(?:now )?settled (?:down |in )?(?:nicely |well "
     "|happily )?in(?= [A-Z])", "live in"),
    (" still in ", rf"(?:am|are|is) still (?:living )?in(?= [A-Z]){_STAYS}", "live in"),
    (" happen", "happens? to be", "am"),
    (" never had ", "never had", "have never had"),
    (" allergy to ", r"(?:have|has) (?:an? )?(?:\w+ )?allergy to", "am allergic to"),
)  # fmt: skip
PHRASES = (
    *_ROWS,
    *((hint, rf"^{_WHO} {does} (?=\S)", rf"\g<who> {verb} ") for hint, does, verb in _VERBS),
)
