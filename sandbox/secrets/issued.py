"""Keys and tokens of services: each has a known form, mostly a known beginning."""

import re

from sandbox.secrets.forms import Plugin, Rule, Shape, blob, dense_token, dense_within, random_token, token

# Followed by anything random.
_PREFIXES = """
    xapp- gsk_ xai- pplx- r8_ ATATT3x ATCTT3x ATBB ATTA ntn_ lin_api_ lin_oauth_ figd_ PMAK- NRAK- NRII- NRRA- sntrys_
    sntryu_ glsa_ glc_ hvs. hvb. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. doo_v1_ dor_v1_ nfp_ sbp_ sb_secret_
    pscale_tkn_ pscale_pw_ pscale_oauth_ LTAI AKID rubygems_ dckr_pat_ dckr_oat_ CLOJARS_ AKCp xkeysib- xsmtpsib-
    lsv2_pt_ lsv2_sk_ pcsk_ tskey- fo1_ fm1_ fm2_ EZAK EZTK aio_ pnu_ rdme_ tfp_ shippo_live_ shippo_test_ shpca_ shppa_
    HRKU- sq0atp- sq0idp- ops_ey tvly- e2b_ y0_ y1_ AQVN access-production- access-sandbox- access-development- phx_
    GR1348941 glffct- glwt- nvapi- napi_ csk- hcaik_ hcbik_ sgp_ slk_ squ_ sqp_ sqa_ bkua_ pul- CFPAT- CCIPAT_ CCIPRJ_
    CCDB1_ AVNS_ duffel_live_ duffel_test_ fio-u- jina_ mzp_ tk-us- tk-eu- ABSK EAAC EAAG EAAA EAAB IGQV vk1.a. xwfp-
    bedrock-api-key- api_org_ figu_ linkup_ gumloop_ ghost_ inngest_ signkey- whop_ dnkey- sntryi_ vercel_ vcp_ ddp_
    ddw_ phs_ wk_live_ pdl_live_ polar_oat_ polar_pat_ npx_ trigger_ tr_prod_ tr_dev_ dtn_ rpa_ lk_live_ fga_ atlasv1.
""".split()
_RUN = r"(?=[A-Za-z0-9_/+.-]{0,18}[A-Za-z0-9_/+-]{19})"  # as long as the quick check wants one
_ISSUED = rf"{_RUN}(?:{'|'.join(map(re.escape, _PREFIXES))})[A-Za-z0-9_/+.-]{{0,9}}[A-Za-z0-9_/+-]{{16,}}"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# A part that names the kind, then perhaps the environment: acme_sk_live_X   acme-pat-X
_SAYS_SO = (
    r"(?:[A-Za-z0-9]{1,10}[_-]){0,2}(?:[sr]k|pat|oat|pak|oauth|tkn|token|secret|apikey|pw|auth)[_-]"
    r"(?:(?:live|test|prod|dev|[a-z]{1,3}\d{1,2})[_-]){0,2}(?:[A-Za-z0-9]{20,}|" + _UUID + ")"
)

# Fixed lengths, because the beginning alone says too little; hints are in lower case.
_FIXED = (
    ("fc-", r"fc-[a-f0-9]{32}(?![A-Za-z0-9])"),  # Firecrawl
    ("pk_", r"pk_[a-f0-9]{34}(?![A-Za-z0-9])"),  # Klaviyo
    ("live_|test_", r"(?:live|test)_[a-f0-9]{35}(?![A-Za-z0-9])"),  # Lob
    ("cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),  # crates.io
    ("oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),  # NuGet
    ("rnd_", r"rnd_[A-Za-z0-9]{28,32}(?![A-Za-z0-9])"),  # Render
    ("re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,24}(?![A-Za-z0-9])"),  # Resend
    ("api-", r"API-[A-Z0-9]{25,30}(?![A-Za-z0-9])"),  # Octopus Deploy
    ("pa-", r"pa-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),  # Voyage
    ("atatt3x|atctt3x", r"AT[AC]TT3x[A-Za-z0-9_-]{20,}=[A-Z0-9]{8}(?![A-Za-z0-9])"),  # Atlassian
    ("p8e-", r"p8e-[A-Za-z0-9]{32}(?![A-Za-z0-9])"),  # Adobe
    ("_pat_", r"[a-z]{2,10}_pat_[A-Za-z0-9]{16,}"),  # SettleMint
    ("4b1d", r"4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])"),  # ClickHouse
    ("cmvmd", r"cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9])"),  # Artifactory
    ("dg9roj", r"dG9rOj[A-Za-z0-9+/]{40,}={0,2}"),  # Intercom
    ("sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),  # Dropbox
    ("su", r"su[A-Za-z0-9]{12}(?:[A-Za-z0-9]{48})(?![A-Za-z0-9])"),  # Sumo Logic
    ("pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![a-f0-9])"),  # Airtable
    ("dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
    ("t1.", r"t1\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{80,}={0,2}"),  # Yandex
    ("sk.ey", r"sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),  # Mapbox
    ("a3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),  # 1Password
    ("nral", r"[a-f0-9]{32,36}(?:FFFF)?NRAL(?![A-Za-z0-9])"),  # New Relic
    ("nrjs-", r"NRJS-[a-f0-9]{19}(?![A-Za-z0-9])"),
    ("p1", r"[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{6}jsn[a-f0-9]{12}"),  # RapidAPI
    ("1//0", r"1//0[A-Za-z0-9_-]{40,}"),  # Google, OAuth
    (":apa91b", r"[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,}"),  # Firebase
    ("azdo", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),  # Azure DevOps
    ("+acr", r"[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}(?![A-Za-z0-9])"),  # Azure container registry
    ("aaaaaaaaaaaaaaaaaaaa", r"A{20,22}[A-Za-z0-9%]{50,}"),  # Twitter
    ("flwseck", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{32}-X"),  # Flutterwave
    ("access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),  # Braintree
    ("amzn.mws.", rf"amzn\.mws\.{_UUID}"),  # Amazon marketplace
    ("api-|sdk-", rf"(?:api|sdk)-{_UUID}"),  # LaunchDarkly
    ("pat-", rf"pat-[a-z]{{2}}\d-{_UUID}"),  # HubSpot
    ("1/|2/", r"[12]/\d{16}(?:/\d{16})?:[a-f0-9]{32}(?![A-Za-z0-9])"),  # Asana
    ("hooks.zapier.com", r"https://hooks\.zapier\.com/hooks/catch/[A-Za-z0-9/]{8,}"),
    (".make.com", r"https://hook\.[a-z]{2}\d\.make\.com/[A-Za-z0-9]{20,}"),
    (".office.com", r"https://[A-Za-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{40,}"),
    (
        ".logic.azure.com",
        r"https://[A-Za-z0-9.-]{1,80}\.logic\.azure\.com(?::443)?/workflows/[A-Za-z0-9]{20,}[^\s\"'<>]*",
    ),
)
_GITLAB = r"gl(?:pat|dt|ft|rt|soat|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*"
_GITLAB_HINTS = "glpat-|gldt-|glft-|glrt-|glsoat-|glcbt-|glimt-|glptt-|glagent-|gloas-"
_DISCORD_WEBHOOK = r"https://discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{30,}"
_JWT = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)*"

TOKENS: tuple[Rule, ...] = (
    Shape("private key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}", token),
    Shape("AWS access key", "akia|asia|abia|acca|a3t", Plugin("aws.AWSKeyDetector"), random_token),
    Shape("GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", r"gh[opusr]_[A-Za-z0-9_]{16,}", random_token),
    Shape("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}", random_token),
    Shape("GitLab token", _GITLAB_HINTS, _GITLAB, random_token),
    Shape("Slack token", "xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{14,}", random_token),
    Shape("Slack webhook", "hooks.slack.com", Plugin("slack.SlackDetector", 1), token),
    Shape("Discord webhook", "/webhooks/", _DISCORD_WEBHOOK, token),
    Shape("Discord token", "", Plugin("discord.DiscordBotTokenDetector"), dense_token),
    Shape("Telegram bot token", "", Plugin("telegram_token.TelegramBotTokenDetector"), random_token),
    Shape("Stripe key", "k_live_|k_test_|whsec_", r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9+/]{16,}", random_token),
    Shape("Google API key", "aiza", r"AIza[A-Za-z0-9_-]{35,}", token),
    Shape("Google secret", "gocspx-|ya29.", r"(?:GOCSPX-|ya29\.)[A-Za-z0-9_-]{20,}", random_token),
    Shape("SendGrid API key", "sg.", Plugin("sendgrid.SendGridDetector"), token),
    Shape("Mailchimp key", "-us", Plugin("mailchimp.MailchimpDetector"), random_token),
    Shape("Twilio key", "", Plugin("twilio.TwilioKeyDetector", 1), random_token),
    Shape("PyPI token", "pypi-", Plugin("pypi_token.PypiTokenDetector", 0), token),
    Shape("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}", random_token),
    Shape("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}", token),
    Shape("API key", "dop_v1_|shpat_|shpss_", r"(?:dop_v1|shpat|shpss)_[a-f0-9]{32,}", random_token),
    Shape("API key", "sk-", r"sk-[A-Za-z0-9_-]{16,}", random_token),
    Shape("JSON web token", "eyj", _JWT, re.Match.span),  # RFC 7519
    Shape("API key", "dapi", r"dapi[a-f0-9]{32}(?:-\d{1,2})?", token),
    Shape("API key", "|".join(_PREFIXES).lower(), _ISSUED, random_token),
    *(Shape("API key", hints, form, token) for hints, form in _FIXED),
    Shape("token", "atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}", re.Match.span),  # Terraform
    Shape("token", "s.", r"s\.[A-Za-z0-9]{24}(?![A-Za-z0-9.])", dense_within),  # Vault
    Shape(
        "token", "sk|rk|pat|oat|pak|oauth|tkn|token|secret|apikey|pw|auth", _SAYS_SO, random_token
    ),  # prefixes that services gave in 2024 and 2025
)
# without a long run
SEPARATED: tuple[Rule, ...] = (
    Shape("secret", "q~", r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", re.Match.span),  # Azure
    Shape("Square secret", "sq0csp-", Plugin("square_oauth.SquareOAuthDetector"), token),
)
BLOB = Shape("random string", "", r"[A-Za-z0-9+/_-]{40,}={0,2}", blob)
