"""Words of thanks, greeting and applause, by language: a turn of such words alone tells nothing.

Folded as ``words.fold`` folds. Languages without stop words of their own have the function words that stand in such
phrases here as well.
"""

from functools import cache

from sandbox.extensions.memory.text.words import terms

_WORDS = """
    absolutely agree agreed alright amazing anytime appreciate appreciated aw aww awesome beautiful best bet bye
    care catch cheers cool course day definitely enjoy evening exactly excited exciting fantastic fine forward
    fun gladly glad good goodbye goodness gosh got great ha haha happy hear help helped helpful helps hi hm hmm
    hope hoping impressive incredible indeed inspiring interesting kind kindly know later lol looking lot lots
    love lovely luck morning nah neat nice night nope omg perfect pleasure pretty problem proud see seeing
    seriously share sharing soon sound sounds sorry stay super sure sweet talk thank thankful thank-you thx time
    tomorrow tonight totally touch true truly tuned understand understood wait way weekend week welcome well
    wish wonderful word words worries worry wow yay yep yup

    ага помочь ах ахах благодарю благодарен благодарна буду будьте верно взаимно вечера вечер видеться всегда встречи
    выходных да день день добрый доброе дня договорились ждать жду забавно завтра замечательно здорово
    здравствуй здравствуйте интересно класс классно конечно круто ладно легче ночи ночь обнимаю обращайся
    обращайтесь ого ок окей отлично пожалуйста пока поняла понял понятно помог помогла помогло помощь правда
    прекрасно привет приятно приятного рад рада рады скоро скорого слышать согласен согласна спасибо спокойной
    супер счастлива счастливо точно угу удачи утро ура хаха хорошего хорошей хорошо чудесно

    auf abend geschehen aber alles also bald bis bitte da danke dank das dass dein deine dir du doch echt ein eine es
    euch freut froh gar gern gerne geht genau gesagt gruß grüße guten gute gut hallo habe hat helfen ich ihnen ist ja
    jawohl kein klar klasse lieb liebe mal mich mir morgen nacht natürlich nein nett nichts noch prima problem
    recht schön schöne schönen schönes sehr sehen servus sie so später spitze stimmt super tag toll tschüss und
    viel viele vielen vielleicht vom von war wirklich wieder wir wochenende wunderbar zu ciao moin tschau
    geholfen hilft

    à ah au avec beaucoup bien bienvenue bon bonjour bonne bonsoir bravo ça ce c'est chance content contente
    d'accord de demain demander encore est excellent génial grand il je journée le la les mais merci moi nuit
    oui parfait plaisir plus pour quel rien revoir salut soirée super sûr toi toujours tout très tu un une vous
    voir à bientôt

    adiós amable así bien bienvenido buen buena buenas bueno buenos ciao claro con cuidado dia día días el en
    encanta encantado es eso excelente fenomenal gracias genial gusto hasta hola igualmente luego la las lo los
    maravilla más me mañana mil muchas mucho muy nada no noche noches perfecto por pronto que qué saludos semana
    sí siempre suerte tal también tan tarde tardes te todo un una usted vale

    agradeço abraço adeus amanhã bem boa bom breve com até dia e é igualmente legal logo muita muito nada não
    obrigada obrigado olá ótimo perfeito por prazer que sim sorte tarde tchau tudo um uma valeu vemos

    a arrivederci bella bello bene benissimo buon buona buongiorno buonanotte buonasera certo che ci ciao con
    così davvero di domani e è esatto fantastico figurati giornata grande grazie il in lieto mille molte molto
    notte niente ok ottimo perfetto piacere prego presto salve sera sì splendido tanto tante ti tutto va vediamo

    alsjeblieft bedankt dag dank de doei dat een en fijn fijne goed goede goedemorgen graag groetjes hallo heel
    hoi is je ja jij mooi morgen nacht natuurlijk nee leuk prima succes tot u ziens weer welkom

    bardzo cześć dobranoc dobry dobrze do dzień dzięki dziękuję hej jasne jutra miłego nie ok pa proszę serio
    super świetnie tak wieczór widzenia za zobaczenia

    бувай вам вечір гарного гаразд день добре добрий дуже дякую за завтра звісно ласка ні привіт радий рада так
    чудово ще

    çok ederim evet gece gün günaydın güle güzel hayır harika hoşça iyi kal merhaba peki rica sağol selam tabii
    tamam teşekkür teşekkürler yarın

    谢谢 谢 谢谢你 谢谢您 感谢 多谢 不客气 不用谢 你好
    您好 再见 晚安 早上好 好的 好 太好了 好吧 没问题
    明天见 ありがとう ありがとうございます どうも おはよう おはようございます こんにちは こんばんは おやすみ
    おやすみなさい さようなら またね はい いいえ いいね そうですね よかった 감사합니다
    고마워 고마워요 안녕 안녕하세요 네 아니요 좋아요 좋네요 잘자
"""


@cache
def courtesies() -> frozenset[str]:
    """Their search terms."""
    return frozenset(terms(_WORDS))
