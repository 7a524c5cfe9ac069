"""Words that tell where somebody else's text begins, in English, Russian, German, Spanish and French, as data. Words
stand as a whole, ``_STEMS`` by their beginnings.
"""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TEXTS = _set(
    """
    text texts mail mails email emails e-mail e-mails letter letters message messages msg essay paragraph article
    articles post posts tweet thread comment comments review reviews transcript chat conversation dialogue log logs
    output error stacktrace traceback readme page webpage website site wiki doc docs document documentation pdf file
    snippet code function script query config diff patch changelog ticket issue description ad advert advertisement
    listing posting contract agreement terms policy manual guide spec requirements prompt poem story lyrics speech
    caption abstract passage excerpt chapter quote quotation sentence sentences draft report summary minutes memo
    newsletter announcement notice invoice statement bio biography resume cv blog blogpost sms dm voicemail whatsapp
    slack telegram grammar spelling typos mistakes errors punctuation wording translation template reply response
    questionnaire survey faq slide slides monologue dialog ideas notes words sentiment tense entities excerpt
    forum reddit discord twitter facebook linkedin instagram
    homework exam exercise assignment complaint handbook sign lyric horoscope diary journal novel scene citation
    english german french
    nachricht artikel dokument seite brief ausschreibung
    mensaje correo carta texto artículo página documento
    message courriel lettre texte page courrier
    """
)
TEXTS_STEMS = (
    "текст", "письм", "сообщени", "пост", "абзац", "предложени", "стих", "рассказ", "стать", "отзыв", "сочинени",
    "эссе", "черновик", "резюме", "диалог", "переписк", "объявлени", "документ", "договор", "страниц", "сайт", "лог",
    "код", "ошибк", "запят", "грамматик", "орфографи", "опечат", "комментари", "отрывок", "цитат", "стенограмм",
    "инструкци", "анкет", "монолог", "песн", "сказк", "форум", "чате", "канале", "тост", "открытк", "реплик",
)  # fmt: skip

SAID = _set(
    """
    wrote writes complains claims insists said says replied replies answered texted emailed e-mailed mailed
    messaged posted commented told asked
    asks states stated reads goes sent tweeted quoted according announced noted explains quote verbatim
    schrieb schreibt sagte sagt antwortete meinte laut
    escribió escribe dijo dice respondió contestó según
    écrit dit répondu selon répond
    """
)
SAID_STEMS = (
    "написал", "пишет", "пишут", "ответил", "отвечает", "говорит", "сказал", "прислал", "сообщил", "спросил",
    "согласно", "гласит", "написан", "сказан",
)  # fmt: skip

WORKED_ON_STEMS = (  # nothing is done so but to a text
    "translat", "summari", "proofread", "rewrit", "rephras", "paraphras", "reword", "tldr", "tl;dr", "spellcheck",
    "перевед", "перескаж", "перепиш", "перефраз", "отредактир", "резюмир", "вычита", "сократи",
    "übersetz", "zusammenfass", "korrigier", "traduc", "tradui", "resum", "résum", "corrig", "reescrib",
)  # fmt: skip
LOOKED_AT = _set(
    """
    fix correct check review edit improve explain reply respond answer analyse analyze shorten simplify polish convert
    format read look classify critique debug comment continue complete expand turn think thoughts opinion feedback scam
    spam phishing mean means interpret understand transcribe punctuate make rate count extract list classify label tag
    repeat grade opinions
    fasse prüfe erkläre antworte verbessere lies
    revisa explica responde mejora lee
    vérifie explique réponds améliore lis
    """
)
LOOKED_AT_STEMS = (
    "провер", "исправ", "поправ", "объясни", "ответь", "прочита", "прочти", "посмотри", "глян", "проанализ", "оцени",
    "улучш", "сделай", "думаешь", "продолж", "упрост", "оформ", "разбер",
)  # fmt: skip

HERE = _set(
    """
    here here's heres below following attached pasted copied forwarded paste see
    hier unten folgende folgender folgendes folgenden anbei
    aquí abajo siguiente
    voici ci-dessous suivant
    вот ниже
    """
)
HERE_STEMS = ("следующ",)
THIS = _set(
    """
    this these it that
    das dies diese diesen dieses dieser
    esto este esta
    ceci cette ce cet
    это эту этот этом этим эти этих этого
    """
)
LANGUAGES_STEMS = (
    "english", "german", "french", "spanish", "italian", "russian", "portugues", "chinese", "japanese", "polish",
    "английск", "немецк", "французск", "испанск", "русск", "итальянск", "deutsch", "englisch", "inglés", "español",
    "anglais", "français",
)  # fmt: skip
CONTACTS = _set("email e-mail mail site website page blog telegram slack whatsapp")
ABOVE = _set("above ^ ^^ ^^^ выше oben obige obigen arriba ci-dessus")
GOT = _set(
    """
    got received found saw sent forwarded copied pasted came
    получил получила пришло пришёл пришел прислали прислал прислала нашёл нашел нашла скопировал скопировала переслал
    переслали
    bekommen erhalten recibí recibido reçu
    """
)
READ = _set("read heard прочитал прочитала прочёл прочла вычитал услышал услышала gelesen gehört leí leído lu")
OF = _set("from by of от von de del")
THEIRS = _set(
    "user user's users customer customers client patient "
    "his her their its whose его её ее их ihre seine su sus leur leurs"
)
OTHERS = THEIRS | _set("the that this")

QUOTED = _set("complaint review отзыв quote quotation citation excerpt transcript цитата отрывок zitat cita citation")
FIRST_PERSON = _set(
    """
    i i'm i've i'd i'll im ive me my mine myself we we're our ours us
    я мне меня мной мой моя моё мое мои моих моего моей мою моим моими мы нас нам наш наша наши
    ich mein meine mir mich wir unser yo mi mis me je mon ma mes moi
    """
)
FOR_GOOD = _set(
    """
    always never remember henceforth whenever всегда никогда впредь запомни запомните отныне immer nie siempre nunca
    toujours jamais
    """
)
OWN_LISTS = _set(
    """
    rule rules habit preference preferences wish wishes request requests setting settings default defaults fact facts
    reminder instructions guidelines conventions habits likes dislikes allergies goals me myself setup self
    details profile правила правило пожелания предпочтения просьбы просьба настройки факты цели обо
    """
)
LABELS = OWN_LISTS | _set(
    """
    name nickname surname age born birthday birthdate city town country home address location street phone mobile tel
    email e-mail mail website job work profession occupation employer company role position title hobby hobbies
    interest
    interests language languages tone style pronouns timezone zone time diet food drink colour color pet pets dog cat
    partner wife husband spouse kid kids child children son daughter mother father mom mum dad sister brother family
    friends school university degree os editor shell browser stack framework database height weight size blood
    allergy medication goal plan plans deadline budget update updates news ps pps edit btw fyi note notes nb important
    todo question fun one favourite favorite also next today tomorrow yesterday now from dates units format spelling
    answers background context intro introduction confession spoiler reason situation reality result conclusion truth
    bonus warning disclaimer hint tip example problem issue answer psa tldr correction clarification idea proposal
    status info verdict news hi hello hey good thanks thank sorry ok okay yes no sure monday tuesday wednesday
    thursday friday saturday sunday morning noon evening breakfast lunch dinner
    build test tests lint deploy run install release start stop step steps first second third finally backend frontend
    имя фамилия возраст город страна адрес телефон почта работа должность компания профессия хобби язык языки стиль тон
    питание аллергия дети жена муж сын дочь мама папа кот собака цвет еда проблема причина итог новость новости
    контекст кратко вопрос пример ответ привет здравствуйте спасибо
    день рождения важно кстати
    """
)
SPEAKERS = _set(
    """
    user assistant human ai bot chatgpt gpt claude gemini system interviewer interviewee customer client support agent
    me him her you he she they caller host guest moderator speaker narrator teacher student patient boss manager q a
    я он она ты пользователь ассистент клиент оператор ведущий гость интервьюер
    """
)
ASSISTANTS = _set(
    """
    assistant ai bot claude chatgpt gpt gemini copilot grok llama mistral codex cursor there again friend buddy mate
    ассистент бот друг снова ещё
    """
)

WRITES_STEMS = ("write", "draft", "compose", "invent", "напиш", "сочин", "придума", "schreib", "escrib", "écris")
PARTS = _set(
    """
    as perspective voice person pov character narrator viewpoint pretending saying says telling tells лица имени als
    como comme
    """
)
PLAYS = (
    "act as ", "act like ", "pretend", "role play", "roleplay", "role-play", "role game", "play the role",
    "play the part", "stay in character", "imagine you", "imagine that you", "imagine this", "think like a",
    "you are now a", "you are an expert", "you are an experienced", "you are a professional", "you are a skilled",
    "you are the world",
    "притвор", "представь, что ты", "представь что ты", "веди себя как", "сыграй", "сыграем", "поиграем", "ролев",
    "stell dir vor", "tu so, als", "imagina que", "finge", "actúa como", "imagine que", "fais comme si",
)  # fmt: skip
LEADS = _set(
    """
    please pls hey hi hello ok okay now so and then also i want need you to would like i'd will should must can could
    let's lets let us do a in this have play the for me just help
    пожалуйста привет а и ну теперь давай можешь мне bitte kannst du por favor
    """
)
PASTES = (  # one of them is in what says that a text comes next
    "ll paste", "will paste", "let me paste", "going to paste", "pasting", "paste it", "paste the", "next message",
    "вставлю", "вставляю", "скопирую", "следующем сообщении", "следующее сообщение", "следующим сообщением",
    "nächste nachricht", "nächsten nachricht", "füge", "siguiente mensaje", "prochain message",
)  # fmt: skip
ASKED_FOR = ("paste", "share", "send", "provide", "вставьте", "вставь", "пришлите", "пришли", "schick")
