"""What is masked and what is not. Every secret here is made up and composed when the test runs, so that no scanner of
repositories reports this file.
"""

import subprocess
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from sandbox.secrets import Secret, find, mask
from sandbox.secrets.forms import Rule
from sandbox.secrets.hints import is_ordinary, rules_for
from sandbox.secrets.issued import BLOB, TOKENS
from sandbox.secrets.rules import KINDS, LONG_RUN, RULES, WORDS
from sandbox.secrets.spoken import NUMBERS
from sandbox.secrets.values import Value, compiled

WALLET = "legal winner thank year wave sausage worth useful legal winner thank yel" + "low"  # of BIP-39's examples
RANDOM = "aB3dE5gH"  # repeated, it looks random enough to the rules
HEX = "1f" + "0a9b8c7d" * 5
LINE = RANDOM * 8
DASHES = "-" * 5
PRIVATE = f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}"
PRIVATE_END = f"{DASHES}END RSA PRIVATE KEY{DASHES}"
JWT = ".".join(("eyJ" + "hbGciOiJIUzI1NiJ9", "eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmN-_HlTz"))


class Case(NamedTuple):
    """A text in three parts; the middle one must be masked completely, and the others must stay."""

    before: str
    secret: str
    after: str
    kind: str


TOLD = [
    # people, English
    Case("password: ", "hunter2", "", "password"),
    Case("Password: ", "Tr0ub" + "4dor&3", ", as always", "password"),
    Case("my password is ", "hunter22", ", please", "password"),
    Case("The password for my home WiFi network is ", "BlueHouse42", ".", "password"),
    Case("The password for the router: ", "BlueHouse42", " (2.4 GHz)", "password"),
    Case("my new laptop password is now ", "k1tt3ns!", "\nthanks", "password"),
    Case("I changed my password to ", "hunter22", " yesterday", "password"),
    Case("Please reset the password of my old mail account to ", "wint3rT1me", ".", "password"),
    Case("Use passcode ", "48a213", " at the door", "password"),
    Case("the door passcode is ", "4821", "", "password"),
    Case("the passphrase was ", "correct" + "horse" + "batterystaple", ".", "password"),
    Case("wifi password (guest): ", "p@ssw" + "!rd", "", "password"),
    Case("**Password:** ", "hunter2", "\n**User:** bob", "password"),
    Case("Password: `", "hunter2", "` works", "password"),
    Case("my password: '", "sparkle" + "pony", "', don't tell", "password"),
    Case("Remember my API key is ", "sk-" + "abc123", "...", "API key"),
    Case("my api key ", "a1b2c3d4e5f6g7h8", " stopped working", "API key"),
    Case("the access token is ", "9f8e7d6c5b4a", ".", "token"),
    Case("login: bob, pass: ", "hunter2", "", "password"),
    Case("my pw is ", "Sunny2023", "", "password"),
    Case("the password's \"", "sun" + "flower99", '"', "password"),
    Case("my passwords are ", "hunter2", " here and there", "password"),
    Case("| Password | ", "Tr0ub" + "4dor&3", " |", "password"),
    Case("Password:\n    ", "hunter2", "\n", "password"),
    # people, other languages
    Case("пароль: ", "qwerty123", ", запомни", "password"),
    Case("мой пароль ", "123456", "", "password"),
    Case("Пароль от вайфая: ", "Солнышко77", ".", "password"),
    Case("пароль — ", "Zima2024", ", логин bob", "password"),
    Case("я сменил пароль на ", "vesna2025", " вчера", "password"),
    Case("токен бота: ", "a1b2c3d4e5f6", "", "token"),
    Case("API-ключ: ", "q1w2e3r4t5y6", ", не теряй", "API key"),
    Case("密码：", "abc12345", "，请保存", "password"),
    Case("我的密码是", "abc12345", "吗", "password"),
    Case("密钥: ", "a1b2c3d4e5f6", "。", "API key"),
    Case("la contraseña es ", "sol2024", "", "password"),
    Case("mot de passe : ", "soleil2024", "", "password"),
    Case("Mein Passwort ist ", "Sommer2024!", "", "password"),
    # in words of the language
    Case("the Hulu password is ", "cinnamon", ", don't tell", "password"),
    Case("the password for the attic printer is ", "Marzipan", "!", "password"),
    Case("The passphrase is ", "correct horse " + "battery staple", ".", "password"),
    Case("my diary's password is “", "let me " + "in", "”", "password"),
    Case("the password is all in small letters: ", "brown" + "fox", "", "password"),
    Case("пароль от дачи — ", "черёмуха", ", не забудь", "password"),
    Case("пароль для няни «", "сезам " + "откройся", "»", "password"),
    # beside the name, before it, after a question
    Case("пароль от ноутбука ", "Barsik" + "2011", "", "password"),
    Case("the pass for the projector: ", "lum" + "en900", "", "password"),
    Case("", "squirrel8", " is my password for the tax site", "password"),
    Case("I take ", "squirrel8", " as the password everywhere", "password"),
    Case("The projector's password? It's ", "lum" + "en900", ".", "password"),
    Case("login is mira / ", "lum" + "en900", "", "password"),
    Case("логин/пароль: ", "mira/lum" + "en900", "", "password"),
    # user and password
    Case("basic auth for staging: mira:", "lum" + "en900", "", "password"),
    Case("the staging site has basic auth (mira / ", "lum" + "en900", ")", "password"),
    Case("use mira:", "lum" + "en900", " for basic auth on staging", "password"),
    Case("Basic-Auth für Staging ist mira:", "lum" + "en900", ".", "password"),
    Case("базовая авторизация на стейдже: mira:", "lum" + "en900", "", "password"),
    Case("Zugangsdaten für Staging: mira / ", "lum" + "en900", "", "password"),
    Case("доступ к стейджингу: mira:", "lum" + "en900", "", "password"),
    Case("учётные данные: mira / ", "lum" + "en900", "", "password"),
    Case("credentials for the test account are mira@example.org and ", "lum" + "en900", "", "password"),
    Case("curl -sSu mira:", "lum" + "en900", " https://example.org", "password"),
    Case("http -a mira:", "lum" + "en900", " example.org", "password"),
    Case("az login -u mira@example.org -p ", "lum" + "en900", "", "password"),
    Case('requests.get(url, auth=("mira", "', "lum" + "en900", '"))', "password"),
    # numbers
    Case("the PIN is ", "3907", "", "PIN"),
    Case("my new card's pin — ", "3907", ", ok?", "PIN"),
    Case("пин-код от симки ", "3907", ", запиши", "PIN"),
    Case("Cellar door code: ", "44-1-80", "", "code"),
    Case("the code for the shed is ", "3907", " I think", "code"),
    Case("my locker combination is ", "31-5-22", "", "code"),
    Case("the safe opens with ", "3907", ".", "code"),
    Case("код от домофона ", "21К3907", "", "code"),
    Case("сигнализация снимается кодом ", "3907", "", "code"),
    Case("2FA code is ", "390714", "", "code"),
    Case("my card is ", "4000 0566" + " 5566 5556 11/29", "", "card number"),
    Case("pay with ", "4000056655" + "665556", ", please", "card number"),
    Case("the CVC is ", "390", "", "card code"),
    Case("номер карты ", "2200 1111" + " 2222 3333", "", "card number"),
    Case("transfer to ", "AT61 1904 3002" + " 3457 3201", " by Monday", "account number"),
    Case("account number ", "55779911", ", sort it out", "account number"),
    Case("my social security number is ", "219-" + "09-9999", "", "identity number"),
    Case("passport number: ", "K04417" + "735", "", "identity number"),
    Case("мой ИНН ", "7830" + "02293707", "", "identity number"),
    Case("паспорт ", "4011 " + "390714", ", выдан в Пскове", "identity number"),
    Case("wifi key: ", "3907 1448 2210", "", "key"),
    Case("Windows licence key ", "AB3CD-9EF8H-" + "1JKLM-N2P4R", "", "key"),
    # with invisible characters, or in another form
    Case("pass\u200bword: ", "hunter2", " ok", "password"),
    Case("my p\u00adassword is ", "k\u200bitten99", ", ok?", "password"),
    Case("\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44\uff1a ", "hunter2", " ok", "password"),
    Case(
        "\U0001d429\U0001d41a\U0001d42c\U0001d42c\U0001d430\U0001d428\U0001d42b\U0001d41d: ", "hunter2", "", "password"
    ),
    Case("p\u0336a\u0336s\u0336s\u0336w\u0336o\u0336r\u0336d\u0336: ", "hunter2", "", "password"),
    Case("la contrasen\u0303a es ", "sol2024", " \u2764\ufe0f", "password"),
    Case("pa\0ssword: ", "hunter2", "", "password"),
    Case("\ufeffpassword: ", "hunter2", "\u2060", "password"),
    # phrases and answers
    Case(
        "Recovery phrase: ",
        "river candle tiger silver planet mirror " + "garden piano stone window apple forest",
        "",
        "recovery phrase",
    ),
    Case("", WALLET, "", "recovery phrase"),
    Case("", WALLET.replace(" ", "\n"), "", "recovery phrase"),
    Case("keep it: ", WALLET.replace(" ", ", "), ".", "recovery phrase"),
    Case("keep it: ", WALLET.replace(" ", "|"), "", "recovery phrase"),
    Case(
        "1. ",
        " ".join(f"{word} {place}." for place, word in enumerate(WALLET.split(), 2))[:-4],
        " ok",
        "recovery phrase",
    ),
    Case("", WALLET.upper(), "\n", "recovery phrase"),
    Case("my mother's maiden name is ", "Pember" + "ton", ", that's the security answer", "security answer"),
    Case("The answer to my security question is ", "Pember" + "ton", ".", "security answer"),
    Case("кодовое слово в банке — ", "Одуван" + "чик", "", "security answer"),
    # code and configuration
    Case('{"user": "bob", "password": "', "sword" + "fish", '"}', "password"),
    Case('{"user":"bob","password":"', "hunter2", '","age":7}', "password"),
    Case('{\\"token\\": \\"', "abc123def456", '\\"}', "token"),
    Case("DB_PASSWORD=", "s3cr3tP4ss", "\nDB_HOST=db.local", "password"),
    Case('password: str = "', "hunter2", '"', "password"),
    Case("api_key=", "a8f5f167f44f4964", "&format=json", "API key"),
    Case("secret = '", "abc123", "'", "secret"),
    Case("client_secret: ", "8x7c6v5b4n3m", "", "secret"),
    Case("<password>", "hunter2", "</password>", "password"),
    Case("Server=db;Password=", "abc123", ";Database=x", "password"),
    Case("'password' => '", "hunter2", "',", "password"),
    Case("user.set_password('", "hunter2", "')", "password"),
    Case("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "", "API key"),
    Case("export JWT_SECRET=", "mysupersecret" + "key2024", "\nPORT=80", "secret"),
    Case("secret_key_base: ", "4f5e6d7c8b9a0f1e", "", "API key"),
    Case('<add key="ApiKey" value="', "d41d8cd98f00b204", '" />', "API key"),
    Case("mysql -u root -p", "S3cret!", " db", "password"),
    Case("sshpass -p '", "hunter2", "' ssh bob@host", "password"),
    Case("my private key is ", "0x" + "4c0883a6" * 8, "", "API key"),
    Case("postgres://user:", "pass", "@host/db", "password"),
    Case("mysql://root:", "p@ss@w0rd!", "@db.local:3306/x", "password"),
    Case("redis://:", "x7Yz", "@cache:6379", "password"),
    Case("curl -u bob:", "hunter2", " https://example.com", "password"),
    Case("AccountName=x;AccountKey=", RANDOM * 10 + "aB3dE5==", ";Suffix=y", "API key"),
    Case("https://x.blob.core.windows.net/c/f.txt?sv=2022&sig=", RANDOM * 5 + "%3D", "&se=1", "API key"),
    Case('curl -H "Authorization: Bearer ', "abc123def456", '" https://x.y', "bearer token"),
    Case("Authorization: Basic ", "YWRtaW46" + "YWRtaW4=", "\nHost: x", "basic credentials"),
    Case("X-Api-Key: ", "f00dbabe12", "", "API key"),
]
BY_FORM = [
    ("API key", "sk-" + RANDOM * 6),
    ("API key", "sk-proj-" + "aB3_dE5-gH7k9LmN2pQ" * 4),
    ("API key", "sk-ant-api03-" + "aB3dE5gHj_" * 9 + "AA"),
    ("GitHub token", "ghp_" + "a1B2" * 9),
    ("GitHub token", "gho_" + "a1B2" * 9),
    ("GitHub token", "github_pat_" + "11ABCDE0Y0" + "_" + "a1B2" * 14),
    ("GitLab token", "glpat-" + "a1B2-c3D4_e5F6g7H8i9"),
    ("GitLab token", "glrt-" + "a1B2" * 5),
    ("Slack token", "xoxb-" + "123456789012-" * 2 + "a1B2" * 6),
    ("Slack token", "xoxp-" + "123456789012-" * 3 + "0a1b" * 8),
    ("Slack webhook", "https://hooks.slack.com/services/" + "T00000000/B00000000/" + "a1B2" * 6),
    ("Discord webhook", "https://discord.com/api/webhooks/" + "123456789012345678/" + "a1B2" * 17),
    ("Discord token", "MTk4NjIyNDgzNDcx" + "OTI1MjQ4" + ".Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs"),
    ("Telegram bot token", "123456789:" + "AAF" + RANDOM * 4),
    ("AWS access key", "AKIA" + "Q3EGZP7X" * 2),
    ("AWS access key", "ASIA" + "Q3EGZP7X" * 2),
    ("Stripe key", "sk_live_" + "a1B2" * 6),
    ("Stripe key", "rk_live_" + "a1B2" * 20),
    ("Stripe key", "sk_test_" + "a1B2" * 6),
    ("Google API key", "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
    ("Google secret", "GOCSPX-" + "a1B2" * 7),
    ("SendGrid API key", "SG." + "a1B2c3" * 3 + "a1B2." + "a1B2c3d" * 6 + "x"),
    ("Square secret", "sq0csp-" + "a1B2" * 10 + "xyz"),
    ("Mailchimp key", "0a1b2c3d" * 4 + "-us12"),
    ("Twilio key", "SK" + "0a1b2c3d" * 4),
    ("PyPI token", "pypi-" + "AgEIcHlwaS5vcmc" + "a1B2c3D4-_" * 9),
    ("npm token", "npm_" + "a1B2" * 9),
    ("Hugging Face token", "hf_" + "aBcDeFgH" * 4 + "iJ"),
    ("API key", "dop_v1_" + "0a1b2c3d" * 8),
    ("private key", "AGE-SECRET-KEY-1" + "QPZRY9X8" * 7),
    ("private key", f"{PRIVATE}\n{LINE}\n{LINE}\nAb==\n{PRIVATE_END}"),
    ("private key", f"{PRIVATE}\\n{LINE}\\n{LINE}\\n{PRIVATE_END}"),
    ("private key", f"{PRIVATE}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n{LINE}\n{PRIVATE_END}"),
    ("private key", f"{PRIVATE}\n{LINE}\n{LINE}\nAb=="),
    ("private key", f"{PRIVATE}\n{LINE}"),
    ("private key", PRIVATE.replace("RSA ", "") + f"\n{LINE}\n" + PRIVATE_END.replace("RSA ", "")),
    ("private key", PRIVATE.replace("RSA ", "PGP ").replace("KEY", "KEY BLOCK") + f"\n\n{LINE}\n" + PRIVATE_END),
    ("JSON web token", JWT),
    ("random string", RANDOM * 5),
    ("random string", "aB3/dE5+gH7" * 8 + "=="),
]
FRAMES = [("", ""), ("Here it is: ", ", keep it"), ('x = "', '";'), ("(", ")"), ("呀", "吗"), ("a line\\n", "\\nb")]

LEFT_ALONE = [
    # talk about secrets
    "my password: what was it again?",
    "I forgot my password",
    "My password is too long to remember, 20 characters!",
    "the password is at least 12 characters and 1 digit",
    "Password: 8-16 characters, 2 digits",
    "Wi-Fi password: WPA2-PSK is the standard",
    "password: sha256 and a salt, or argon2id",
    "The password must be changed every 90 days.",
    "Password managers such as 1Password or KeePass2 are fine",
    "my password: 1Password knows it",
    "Reset your password: https://example.com/reset2?id=5",
    "Forgot password: write to support24@example.com",
    "password: no idea, or in Russian пароль: понятия не имею",
    "the token: a gold coin",
    "token economy and tokens of love",
    "max_tokens: 4096, prompt tokens: 12345678",
    "the token is ERC721, the other one ERC20",
    "token: gpt-4-turbo-2024 counts them differently",
    "tokenizer: cl100k_base",
    "USDT token: 0x" + "dAC17F958D2ee523a220" * 2,
    "Bearer of bad news",
    "the bearer 2 days later",
    "Her secret: 3-ingredient sauce. My secret: patience.",
    "the secret is H2O and 30-minute naps",
    "The key: practise 10 hours a week; key takeaways 2024",
    "API key: ask Bob, he joined in 2019",
    "access key, private key and 2FA are explained in chapter 12",
    "boarding pass: AB123456, ski pass: AB1234567, bypass: rule12a",
    "PASS: test_login1.sh, tests pass: 1234567",
    "basic auth for https://example.org:8443/v2, basic auth in release2024, basic auth: see docs/auth2.md",
    "доступ к серверу: через vpn2024, Zugangsdaten: siehe Wiki / Seite 12345",
    "docker login ghcr.io, then docker run -u 1000 -p 8080:80 shop:build2024",
    "the password | token2 | address",
    "The private key starts with " + PRIVATE + " and so on",
    "я забыл пароль",
    "пароль: не помню какой",
    "пароль должен быть не короче 8 символов",
    "секрет: добавь 2 ложки мёда",
    "токен: это монета",
    "我忘了密码，请帮我重置",
    "密码是什么？",
    "The password is too weak and on the fridge",
    "the password is expiring, and the wifi password is the same everywhere",
    "the password is written under the keyboard",
    "Пароль неверный, пароль хранится в менеджере, пароль никому не говорю",
    "hasło jest za krótkie",
    "j'ai oublié mon mot de passe; la contraseña es demasiado corta",
    "I'll give you the address in the next message; the wifi key is on the fridge",
    "パスワードは忘れました",
    "he identified by 2019 most of the birds, and was identified as the author",
    "Wi-Fi code 5 GHz, which password manager do you use?",
    "password = input('Password: '), api_key: str | None = None, React key={item.id}",
    "тест-drive, IT-отдел, iPhone-ы, 3D-модель, USB-порт",
    # words that stand in the lists for wallets, and no phrase
    "apple, banana, bread, milk, butter, rice, sugar, salmon, coffee, lemon, olive, onion",
    "The old artist likes the blue ocean, and he cooks rice with lemon for his family every autumn evening",
    # numbers that are no secrets
    "area code 415, zip code: 94110, error code is 5071, promo code: 2024, the code is 3000 lines long",
    "I pinned it in 2019; GPIO pin: 18; enamel pins, 1200 of them",
    "room 1102, flat 4821, order number 58213377, locker 217 is mine",
    "born on 14.03.1987, call me on 07700 900123 or +7 916 123-45-67",
    "card ending in 4242, credit card limit 15000, a birthday card in 2019",
    "my account has 12000 followers, opened in 2019",
    "I renewed my passport on 2024-05-05, it expires in 2031",
    "the safe weighs 120 kg, the gate opens at 0700, alarm goes off at 0630",
    "a combination of 2 drugs, 500 mg each; the show opened with 12000 viewers",
    "My mother's maiden name is Kowalczyk. My first pet was Snowball.",
    "order 4539148803436468, transfer DE00370400440532013000",  # the check digits are wrong
    "the key to success is 10000 hours",
    "квартира 4821, почтовый индекс 101000, код города 495, счёт за свет 4821 рубль",
    "поменял паспорт в 2021 году, карта на конце 4242, сейф весит 120 кг",
    # code
    "password = get_password('db1')",
    'password = os.environ["DB_PASS1"]',
    "password: settings.database2.password",
    "def login(user: str, password: str, token: Token2) -> Session:",
    "password=${DB_PASSWORD2} token={{ vault_token1 }} secret=$SECRET1",
    'api_key="YOUR_API_KEY_123"',
    'api_key = "<your-key-1>"',
    'password = "********"',
    '"password": "required|min:8"',
    '{"type": "string", "password": "required"}',
    "password VARCHAR(255) NOT NULL, token varchar2",
    "password1 and password2 must match",
    "const token = response2.data1.token",
    "token = tokens[12345678]",
    "postgres://user:${PGPASSWORD}@host/db and https://user:<password>@host",
    "ssh://git@github.com:22/a/b and http://localhost:8080/a@b",
    "curl -u $USER:$TOKEN https://example.com",
    "mysql -u root -p db2024",
    "MAX_TOKEN=4096\nCACHE_KEY=users_v2",
    'color: {Token: "#ddd0c0", Key2: "#af5f5f"}',
    "Authorization: AWS4-HMAC-SHA256 Credential=bob",
    "docker run -u 1000:1000 -p 8080:80 nginx:1.25.3",
    "import sklearn  # pip install sk-learn-contrib-extension-2023",
    "task-list, risk-management-framework-2024, desk-sharing-2023-edition",
    "Authorization: Bearer <token>, Authorization: Basic authentication",
    # files, headers and command lines that only look like secrets
    "SECRET_KEY = os.environ['DJANGO_SECRET_KEY']",
    "SECRET_KEY = config('SECRET_KEY', default='')",
    'SECRET_KEY = "your-secret-key-goes-here"',
    "otpauth://totp/Shop:ann?issuer=Shop, see the otpauth:// format",
    "Cookie: theme=dark; lang=en; _ga=GA1.2.123456789.1700000000",
    "We accept cookies with oatmeal=2 cups and a session=evening",
    '"auth": "none", "auth": "basicAuthentication", auth=AuthenticationMiddleware',
    "It costs $5 or $15, $1$ in LaTeX and $apr and {SHA}",
    "docker login -u ann registry.example.com, then zip -r a.zip dir2024",
    "pass test123 to the function, and pass arg2value as well; tests pass python3.11",
    "the mountain pass A1234 is closed",
    "host:5432:db is up; 12:30:45:67:89; a:*:b:c",
    "-----BEGIN OpenVPN Static key V1----- is how the file begins",
    "Das Passwort lautet wie immer, la contraseña es muy larga",
    "--password-stdin, --password <secret>, --token $TOKEN",
    "machine learning 2024, a login form and password managers",
    # long things that are no secrets
    "commit " + HEX[:40],
    "sha256 " + HEX[:40] + "f" * 24,
    "id 550e8400-e29b-41d4-a716-446655440000",
    "integrity sha512-" + RANDOM * 10 + "aB3dE5==",
    "ssh-ed25519 " + "AAAAC3NzaC1lZDI1NTE5AAAAI" + RANDOM * 5 + " bob@laptop",
    "![](data:image/png;base64," + RANDOM * 20 + "==)",
    f"{DASHES}BEGIN CERTIFICATE{DASHES}\n{LINE}\n{LINE}\n{DASHES}END CERTIFICATE{DASHES}",
    "https://docs.google.com/document/d/" + RANDOM * 6 + "/edit",
    "docs.google.com/document/d/" + RANDOM * 6 + "/edit",
    "https://example.com/a-very-long-path/with-many-words/and-2023-12-31/in-it?page=2&utm_source=Newsletter2",
    "/usr/local/lib/python3.11/site-packages/sandbox/extensions/memory/govern/Secrets2.py",
    "AbstractSingletonProxyFactoryBeanConfigurationExceptionHandler2",
    "TestUserAuthenticationServiceV2IntegrationTestsForRelease2024",
    "org.springframework.boot.autoconfigure.security.oauth2.client.servlet",
    "ASIAPACIFICECONOMICCOOPERATION",
    "call +49 170 1234567 or 8-800-555-35-35, ISBN 978-3-16-148410-0",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    "ok" + "!" * 200 + "-" * 200,
]


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.before + "…" + case.after)
def test_a_secret_is_masked_whole_and_the_words_around_it_stay(case: Case) -> None:
    masked = mask(case.before + case.secret + case.after)
    assert masked.text == f"{case.before}[secret: {case.kind}]{case.after}"
    assert masked.kinds == (case.kind,)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame[0])
@pytest.mark.parametrize(("kind", "secret"), BY_FORM, ids=lambda part: part[:12])
def test_a_recognisable_secret_is_masked_in_any_sentence(kind: str, secret: str, frame: tuple[str, str]) -> None:
    before, after = frame
    assert mask(before + secret + after).text == f"{before}[secret: {kind}]{after}"


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_talk_about_secrets_and_harmless_values_are_not_masked(text: str) -> None:
    masked = mask(text)
    assert masked.text is text
    assert masked.kinds == ()


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "its password was kitten51 but now it's kitten62",
            "its password was [secret: password] but now it's [secret: password]",
        ),
        ("backup codes: 4821 9934, 7730 1182", "backup codes: [secret: code], [secret: code]"),
        ("the PIN was 3907. Now it's 7093.", "the PIN was [secret: PIN]. Now it's [secret: PIN]."),
        ("Visa 4000-0566-5566-5556, exp 11/29, CVV 390", "Visa [secret: card number], CVV [secret: card code]"),
        ("GITHUB_TOKEN=" + BY_FORM[3][1], "GITHUB_TOKEN=[secret: GitHub token]"),  # the more specific kind is named
        ("Authorization: Bearer " + JWT, "Authorization: Bearer [secret: JSON web token]"),
        (f"password={'a1B2' * 200} ok", "password=[secret: password] ok"),  # no tail of a long value is left
        (f'token="{"a1B2" * 200}";', 'token="[secret: token]";'),
        ("[secret: token] password: hunter2", "[secret: token] password: [secret: password]"),  # beside a mask
        ("[secret: password: hunter2]", "[secret: password: [secret: password]]"),  # which is no mask
    ],
)
def test_every_value_is_masked_whole_by_its_kind(text: str, masked: str) -> None:
    assert mask(text).text == masked


@pytest.mark.parametrize(
    ("asked", "said", "masked"),
    [
        ("What is the gate code?", "3907#", "[secret: code]"),
        ("Got it. And the alarm PIN?", "It's 3907 I think", "It's [secret: PIN] I think"),
        ("Какой пароль от вайфая?", "malina2020", "[secret: password]"),
        ("When did you move?", "3907 days ago", "3907 days ago"),
        ("What is the gate code?", "No idea, I moved here 3 days ago", "No idea, I moved here 3 days ago"),
    ],
)
def test_an_answer_to_a_question_for_a_secret_is_masked(asked: str, said: str, masked: str) -> None:
    assert mask(said, asked).text == masked


def test_kinds_are_named_once_in_the_order_of_the_text() -> None:
    text = f"password: hunter2, token: {'a1b2' * 4}, password: hunter3, then {JWT}"
    assert mask(text).kinds == ("password", "token", "JSON web token")


def test_secrets_and_values_have_no_readable_representation() -> None:
    assert repr(find("password: hunter2")) == "(Secret(kind='password', start=10, end=17),)"
    assert "hunter2" not in repr(Value("hunter2", 10))


def test_ordinary_talk_imports_no_library() -> None:
    program = (
        "import sys; from sandbox import secrets;"
        "secrets.mask('my password: what was it again? I flew to Asia, see https://example.com/a');"
        "assert 'detect_secrets' not in sys.modules;"
        f"secrets.mask({BY_FORM[14][1]!r}); assert 'detect_secrets' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(
    "header", [" Ab: x", "\nAb: x", "\n\n Ab:  x ", "\\nAb: x", "\n", "\n" + LINE, "\n" + LINE + " Ab: x"]
)
def test_the_lines_of_a_private_key_are_read_once(header: str) -> None:
    """One of these can split a line in two ways; thirty of them would take minutes with a pattern that tries both."""
    assert mask(PRIVATE + header * 1_000).text


FRAGMENTS = [
    *("password", "Password is", "my token", "api key", "пароль", "密码", "secret", "Bearer", "curl -u bob"),
    *(": ", ", ", ". ", "://", "\\n"),
    *" \n=\"'@-_()/：是&;`",
    *("hunter2", "hunter22", "1234", "word", "a1b2c3d4e5f6", "sparklepony", "for", "the router", "to", "is", "x@y"),
    *(f"[secret: {kind}]" for kind in KINDS[:6]),
    *(secret for _, secret in BY_FORM),
    *(DASHES, PRIVATE, PRIVATE_END, "[secret:", "password]"),
]
HINTS = [piece for rule in RULES for hint in rule.hints.split("|") for piece in (hint, *hint.split(" "))]
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=14).map("".join)
many = settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@many
@given(texts)
@example("password: abc123 is hunter22")
@example("token abc for [secret: token] is a1b2c3d4e5f6")
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask(text)
    assert mask(once.text).text is once.text


@many
@given(texts)
def test_finds_are_ordered_and_disjoint(text: str) -> None:
    found = find(text)
    edges = [0, *(edge for secret in found for edge in (secret.start, secret.end)), len(text)]
    assert edges == sorted(edges)
    assert all(secret.start < secret.end and secret.kind in KINDS for secret in found)
    assert mask(text).text == _replaced(text, found)


@many
@given(texts, st.sampled_from(BY_FORM), texts)
def test_a_recognisable_secret_is_masked_at_any_place(before: str, known: tuple[str, str], after: str) -> None:
    _, secret = known
    text = f"{before} {secret} {after}"
    start, end = len(before) + 1, len(before) + 1 + len(secret)
    hidden = {place for one in find(text) for place in range(one.start, one.end)}
    assert hidden >= set(range(start, end))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}, {rule.hints[:40]}")
def test_the_quick_check_passes_every_text_that_a_rule_matches(rule: Rule) -> None:
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(compiled(rule.form)))
    def let_through(text: str) -> None:
        assert rule in rules_for(f"{text} 1" if rule in NUMBERS else text)

    let_through()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}, {rule.hints[:40]}")
def test_the_quick_check_loses_no_find(rule: Rule) -> None:
    told = [case.before + case.secret + case.after for case in TOLD]
    for text in (*told, *LEFT_ALONE, *(secret for _, secret in BY_FORM)):
        assert rule in rules_for(text) or not list(rule.spans(text))


@example("a" * 19)
@example(f"abc {'b' * 36}")
@given(st.text(st.sampled_from("aZ09+/_-. \nßſ密\u2003"), max_size=80) | st.from_regex(r"([a-z]{15,22}[ .-]?){1,4}"))
def test_a_text_without_digits_or_long_runs_is_searched_for_words_alone(text: str) -> None:
    """The quick check gives the same result as the slow one."""
    has_digit, has_run = compiled("[0-9]").search(text), compiled(LONG_RUN).search(text)
    expected: set[Rule] = {BLOB} if has_run else set()
    expected |= {rule for rule in NUMBERS if not rule.hints} if has_digit else set()
    assert {rule for rule in rules_for(text) if not rule.hints and rule not in TOKENS} == expected


@many
@given(st.lists(st.sampled_from((*FRAGMENTS, *HINTS)) | st.text(max_size=5)))
def test_a_text_of_harmless_words_has_no_hint(parts: list[str]) -> None:
    """So a text of known words is decided at once."""
    words = [word for word in parts if not (" " in word or compiled("[0-9]").search(word) or rules_for(word))]
    assert rules_for(" ".join(words)) == []


@many
@given(st.lists(st.sampled_from((*FRAGMENTS, *HINTS)) | st.text(max_size=5)))
def test_no_rule_matches_an_ordinary_text(parts: list[str]) -> None:
    text = " ".join(parts)
    assert not is_ordinary(text) or rules_for(text) == []


def test_words_seen_apart_are_a_secret_together() -> None:
    for case in TOLD:
        text = case.before + case.secret + case.after
        for word in text.split(" "):
            find(word)
        assert case.kind in mask(text).kinds


def _replaced(text: str, found: tuple[Secret, ...]) -> str:
    for secret in reversed(found):
        text = f"{text[: secret.start]}[secret: {secret.kind}]{text[secret.end :]}"
    return text


def test_a_hint_is_one_word_without_a_final_digit() -> None:
    """Texts are searched word by word, and ids without their final number."""
    hints = [hint for rule in (*WORDS, *NUMBERS) for hint in rule.hints.split("|") if hint]
    assert [hint for hint in hints if len(hint.split()) != 1 or hint[-1].isdigit()] == []
