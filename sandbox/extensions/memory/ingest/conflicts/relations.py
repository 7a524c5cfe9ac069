"""What has one value at a time and what has several: verbs and nouns, English and Russian.

A relation is told by its own words. ``Ann lives in ...`` has one value, ``Ann likes ...`` any number, and from a verb
that is not listed nothing follows. The nouns are for ``Ann's boss is ...`` and ``the capital of France is ...``: a
definite singular names one thing, unless it is one of those of which people and things have several.
"""

from dataclasses import dataclass
from typing import Literal

from sandbox.extensions.memory.text.words import fold, stem

Values = Literal["any", "one kind", "names", "organisations", "figures"]
"""What can stand as a value: anything; what is of one kind, whatever it looks like; names and figures, no mere words;
whom one works for, so no place; figures alone."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Verbs that say the same of their subject. ``single``: it has one value at a time, else perhaps."""

    name: str
    phrases: tuple[tuple[str, ...], ...]
    values: Values
    single: bool


def _relation(name: str, phrases: str, values: Values = "any", *, single: bool = True) -> Relation:
    return Relation(name, tuple(tuple(fold(phrase).split()) for phrase in phrases.split(",")), values, single)


def stems(words: str) -> frozenset[str]:
    """The stems of some words in one text."""
    return frozenset(stem(fold(word)) for word in words.split())


RELATIONS = (
    _relation(
        "home",
        """lives in, lives at, lives on, live in, live at, live on, is living in, am living in, resides in,
        resides at, reside in, reside at, живёт в, живёт во, живёт на, живу в, живу во, живу на, живём в,
        живём на, живут в, живут на, проживает в, проживает на, проживаю в, проживаю на""",
    ),
    _relation(
        "workplace",
        """works at, works for, work at, work for, is working at, is working for, am working at, am working for,
        is employed by, is employed at, am employed by, am employed at, работает в, работает во, работает на,
        работаю в, работаю во, работаю на""",
        "organisations",
    ),
    _relation(
        "school",
        "studies at, study at, is studying at, am studying at, учится в, учится на, учусь в, учусь на",
        "organisations",
    ),
    _relation("job", "works as, work as, is working as, am working as, работает кем, работаю кем", "one kind"),
    _relation("team", "plays for, play for, играет за, играю за", "organisations"),
    _relation("spouse", "is married to, am married to, замужем за, женат на", "names"),
    _relation("betrothed", "is engaged to, am engaged to, помолвлен с, помолвлена с", "names"),
    _relation("birth", "was born in, was born on, was born at, родился, родилась"),
    _relation("death", "died in, died on, died at, умер, умерла, скончался, скончалась"),
    _relation("name", "is called, am called, is named, am named, goes by, go by, зовут, называется", "one kind"),
    _relation(
        "place",
        """is located in, is located at, is located on, is situated in, is situated on, is based in, is based at,
        am based in, is headquartered in, находится в, находится во, находится на, расположен в, расположен на,
        расположена в, расположена на, расположено в, расположено на, базируется в""",
    ),
    _relation(
        "origin",
        """was founded in, was established in, was created in, was invented in, was built in, originated in,
        основан в, основана в, основано в, создан в, создана в, создано в, построен в, построена в, построено в""",
    ),
    _relation(
        "head", "is led by, is headed by, is chaired by, is run by, is managed by, is directed by, reports to", "names"
    ),
    _relation(
        "measure",
        """costs, weighs, earns, earn, weigh, is worth, стоит, весит, вешу, зарабатывает, зарабатываю""",
        "figures",
    ),
    _relation(
        "schedule",
        """starts at, starts on, starts in, begins at, begins on, begins in, ends at, ends on, ends in, opens at,
        opens on, closes at, closes on, is due on, is due by, is due in, is due, is scheduled for,
        is planned for, takes place on, takes place in, takes place at, expires on, expires in, departs at,
        departs on, meets on, meets at, начинается, заканчивается, открывается, закрывается, истекает,
        состоится, пройдёт, назначен на, назначена на, назначено на, запланирован на, запланирована на,
        запланировано на""",
    ),
    _relation(
        "setting",
        """runs on port, listens on port, listens on, is set to, defaults to, is limited to, is configured to,
        points to, is hosted on, is hosted at, is hosted by, is licensed under, работает на порту, слушает порт,
        установлен на, установлена на, установлено на, ограничен, ограничена, ограничено""",
        "one kind",
    ),
    _relation("answers", "answer in, reply in, respond in, отвечай на, отвечать на", "one kind"),
    _relation("citizenship", "is a citizen of, am a citizen of, гражданин, гражданка", "one kind", single=False),
    _relation("owner", "is owned by, belongs to, принадлежит", single=False),
    _relation("position", "plays the position of, plays as, play as", "one kind", single=False),
    _relation("affiliation", "is affiliated with, am affiliated with, is associated with", single=False),
    _relation("whereabouts", "is in, am in, are in, is at, am at, is on, is from, am from, are from", single=False),
    _relation("field", "works in, work in, is working in, am working in, is written in, was written in", single=False),
    _relation("partner", "is dating, am dating, встречается с, встречаюсь с", single=False),
)

# Of which there is one, known by its name or its number.
HOLDERS = stems("""
    address birthday birthplace boss capital captain ceo cfo chair chairman chairperson chairwoman chancellor coach
    cto date deadline dean father fiance fiancee fiancé fiancée governor head headmaster headquarters homepage
    hometown husband ip king landlady landlord leader manager mayor mom monarch mother mum number phone port
    president price principal queen salary spouse supervisor surname telephone version website wife
    адрес бюджет версия возраст гендиректор глава год губернатор дата дедлайн день директор домен жена жених
    зарплата имя капитан королева король мама мать министр муж мэр начальник начальница невеста номер оклад отец
    отчество папа порт председатель президент работодатель родина руководитель сайт срок стоимость столица супруг
    супруга телефон тренер фамилия цена шеф штаб-квартира
""")

# Of which there is one, said in any words.
QUALITIES = stems("""
    age amount budget citizenship codename color colour cost currency domain duration e-mail email ethnicity format
    gender genre handle height host hostname id interval job layout length level licence license limit locale
    location login mail mascot maximum minimum mode motto name nationality nickname occupation position profession
    quota rank rate rating religion residence role sign size speed status threshold timeout timezone title type
    username weight workplace zone
    валюта вероисповедание вес вид гражданство девиз длина должность жанр звание интервал количество лимит лицензия
    логин максимум место местонахождение минимум название национальность ник пол порода почта пояс профессия размер
    религия рост скорость специальность статус таймаут тип формат цвет
""")

# Of which there are several: another is an addition.
SEVERAL = stems("""
    ability accomplishment achievement advantage album allergy ally ambition article asset aunt award band benefit bird
    book branch brand brother buddy bug cat cause certification challenge character chicken child choice classmate
    client co-founder co-worker cofounder colleague competitor component concern condition contact contributor cousin
    coworker customer daughter degree dependency descendant disadvantage discovery disease dish dog drawback dream
    drink duty effect employee enemy example exception export fan fault fear feature file film fish flatmate follower
    food founder friend fruit gift goal grandchild granddaughter grandfather grandmother grandparent grandson guest
    habit hamster hobby horse idea illness import ingredient instrument interest invention investor issue item kid
    language lesson limitation link mate medication medicine member memory mistake movie neighbor neighbour nephew
    niece note novel opinion option pal paper parent part passion patient pet photo picture pill plant player poem
    present prize problem product project puppy qualification question quote rabbit reason recommendation relative
    reminder requirement resident responsibility risk river roommate rule shareholder sibling sight sister skill snack
    son song sponsor sport stakeholder story strength student subsidiary suggestion supplier symptom talent task
    teacher teammate tip tool topic toy tradition trait treatment tutor twin uncle vegetable vehicle visitor
    weakness wish worker worry
    аллергия альбом бабушка блюдо болезнь брат вещь внук внучка вопрос враг гость дедушка дочка дочь друг дядя еда
    задача идея инструмент интерес картина клиент книга коллега конкурент кот кошка лекарство мечта навык награда
    напиток недостаток обязанность одноклассник однокурсник основатель песня питомец племянник племянница подарок
    подруга правило преимущество приз пример причина приятель проблема проект птица ребенок риск родитель родственник
    сестра симптом слабость собака совет сосед соседка сотрудник союзник спорт способность страх студент сын талант
    тетя традиция увлечение участник ученик учитель фильм хобби цель член язык
""")

# What may happen again with other particulars, and what is one or several as people mean it.
HAPPENINGS = stems("""
    appointment booking breakfast call ceremony class competition concert conference course dinner event exam
    examination exhibition flight game holiday interview journey lecture lunch match meal meeting operation order
    partner party performance race rehearsal reservation seminar session shift show stay surgery talk test ticket tour
    tournament training trip vacation visit walk webinar wedding workshop
    вебинар вечеринка визит встреча доклад заказ занятие звонок игра интервью конкурс конференция концерт курс лекция
    матч обед операция отпуск партнер перелет поездка поход прием прогулка путешествие рейс свадьба свидание смена
    собеседование собрание совещание созвон соревнование спектакль тренировка турнир ужин урок экзамен экскурсия
""")

# With one of these, even that of which there are several is one: "Ann's best friend is ...".
UNIQUE = stems("""
    best biggest current default eldest favorite favourite final first highest largest last latest legal maiden main
    native nearest next official oldest only preferred present primary smallest youngest
    главный единственный лучший любимый наибольший нынешний основной официальный первый последний предпочитаемый родной
    следующий текущий
""")

# What somebody thinks of a thing is no value of it.
JUDGEMENTS = stems("""
    amazing annoying awesome awful bad beautiful better big boring broken busy careful challenging cheap clean clever
    cold comfortable complicated confusing cool cozy crowded cute dangerous delicious demanding different difficult
    dirty easy excellent exciting exhausting expensive fair fantastic fast fine flexible friendly full fun funny good
    great happy hard healthy heavy helpful high honest hot huge important impossible interesting kind large late light
    long loud lovely low lucky messy modern near nice noisy obvious okay old outdated painful perfect pleasant polite
    poor popular powerful pretty quick quiet rare ready reliable rich rude sad safe secure serious short sick simple
    slow small smart stable strange stressful strict strong sweet talented tall terrible tiny tired tough ugly unclear
    useful useless warm weak weird well wonderful wrong young
    большой быстрый важный веселый вкусный высокий добрый дорогой дружелюбный интересный красивый крутой легкий
    маленький медленный надежный низкий новый опасный отличный плохой полезный приятный простой сильный скучный слабый
    сложный старый строгий тихий трудный тяжелый удобный ужасный умный уютный хороший шумный
""")

# Words of time; those of the second kind are also names, with a capital letter.
DATES = stems("""
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday weekday weekend
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь понедельник вторник среда четверг
    пятница суббота воскресенье выходной
""")
HOURS = stems("""
    am pm noon midnight morning afternoon evening night day week month year summer winter spring autumn fall
    утро утром вечер вечером день днем ночь ночью час полдень полночь неделя месяц год лето летом зима зимой весна
    весной осень осенью
""")
