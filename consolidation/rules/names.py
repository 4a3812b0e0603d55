"""Names: what goes by several of them, and what sort of thing a name belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass

import regex


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Something that many people speak of, by its usual name and its other names."""

    name: str
    entity_type: str
    aliases: tuple[str, ...] = ()


KNOWN: tuple[Known, ...] = (
    Known(name="顺丰速运", entity_type="courier", aliases=("顺丰", "SF", "SF Express", "顺丰快递", "S.F. Express")),
    Known(name="圆通速递", entity_type="courier", aliases=("圆通", "YTO", "圆通快递", "YTO Express")),
    Known(name="中通快递", entity_type="courier", aliases=("中通", "ZTO", "ZTO Express")),
    Known(name="申通快递", entity_type="courier", aliases=("申通", "STO", "STO Express")),
    Known(name="韵达快递", entity_type="courier", aliases=("韵达", "韵达速递", "Yunda")),
    Known(name="京东快递", entity_type="courier", aliases=("京东物流", "JD Logistics")),
    Known(name="邮政EMS", entity_type="courier", aliases=("EMS", "中国邮政", "邮政快递")),
    Known(name="极兔速递", entity_type="courier", aliases=("极兔", "J&T", "J&T Express")),
    Known(name="FedEx", entity_type="courier", aliases=("Federal Express", "联邦快递")),
    Known(name="UPS", entity_type="courier", aliases=("United Parcel Service",)),
    Known(name="DHL", entity_type="courier", aliases=("DHL Express", "敦豪")),
    Known(name="Royal Mail", entity_type="courier", aliases=()),
    Known(name="Hermes", entity_type="courier", aliases=("Evri", "Hermes Evri")),
    Known(name="DPD", entity_type="courier", aliases=()),
    Known(name="京东", entity_type="shop", aliases=("JD", "JD.com", "京东商城")),
    Known(name="淘宝", entity_type="shop", aliases=("Taobao", "淘宝网")),
    Known(name="天猫", entity_type="shop", aliases=("Tmall",)),
    Known(name="拼多多", entity_type="shop", aliases=("PDD", "Pinduoduo")),
    Known(name="Amazon", entity_type="shop", aliases=("亚马逊",)),
    Known(name="Visual Studio Code", entity_type="editor", aliases=("VS Code", "VSCode")),
    Known(name="PostgreSQL", entity_type="database", aliases=("Postgres", "PG")),
    Known(name="Kubernetes", entity_type="platform", aliases=("K8s",)),
    Known(name="New York City", entity_type="city", aliases=("NYC", "New York")),
    Known(name="San Francisco", entity_type="city", aliases=()),
    Known(name="Los Angeles", entity_type="city", aliases=("LA",)),
    Known(name="微信", entity_type="app", aliases=("WeChat",)),
    Known(name="支付宝", entity_type="app", aliases=("Alipay",)),
)
"""The table that comes before any likeness of names. Source: seed S4, 3.1 (aliases first)."""

_TOPICS: Mapping[str, str] = {
    "drink": r"coffee|tea|green tea|black tea|matcha|espresso|latte|cappuccino|americano|flat white|cola|coke|water|juice|beer|wine|咖啡|茶|奶茶|绿茶|红茶|拿铁|美式|豆浆|可乐|啤酒|红酒|白酒",
    "editor": r"vim|neovim|emacs|visual studio code|sublime(?: text)?|intellij|pycharm|webstorm|zed|notepad\+\+|nano|cursor",
    "operating system": r"linux|windows(?: \d+)?|mac ?os|ubuntu|debian|fedora|arch(?: linux)?|nixos|freebsd|ios|android",
    "browser": r"firefox|chrome|safari|edge|brave|opera|vivaldi|arc",
    "programming language": r"python|rust|go|golang|java|kotlin|typescript|javascript|c\+\+|c#|ruby|elixir|scala|swift|haskell|clojure",
    "travel": r"(?:the )?train|(?:the )?bus|(?:the )?plane|flying|driving|car|cycling|bike|walking|高铁|火车|飞机|地铁|公交|自驾|打车",
    "seat": r"(?:an? |the )?(?:window|aisle|middle)(?: seats?)?|(?:靠窗|靠过道|过道|靠走道)(?:的)?(?:座位|位置|位子)?",
    "theme": r"dark(?: mode| theme)?|light(?: mode| theme)?|深色模式|浅色模式|夜间模式",
    "contact": r"(?:by |via |on )?(?:e-?mail|phone|text|sms|whatsapp|slack|signal|telegram)|邮件|电话|短信|微信",
    "database": r"postgresql|mysql|sqlite|mongodb|mariadb|redis|oracle",
    "answer format": r"(?:in |me )*(?:short |plain |full |simple )*(?:bullet points?|bullets|paragraphs?|prose|tables?|lists?|numbered lists?|markdown|plain text|sentences)",
    "answer length": r"(?:more |very |a bit )*(?:short|shorter|brief|briefly|concise|concisely|long|longer|detailed|in detail)(?: answers?| replies)?",
    "units": r"celsius|fahrenheit|metric|imperial|kilomet(?:er|re)s|miles|摄氏度|华氏度",
    "invoice": r"(?:paper|electronic|digital|pdf) invoices?|电子发票|纸质发票",
    "package manager": r"npm|yarn|pnpm|bun|pip|uv|poetry|conda",
}
_PATTERNS = {topic: regex.compile(rf"(?:{pattern})", regex.I) for topic, pattern in _TOPICS.items()}
_KINDS = {"courier", "shop", "editor", "database"}
_BY_NAME = {name.casefold(): known for known in KNOWN for name in (known.name, *known.aliases)}
_DRESSING = regex.compile(
    r"^(?:the |a |an |by |with |via |using |发|用|走|寄)?(.+?)(?: instead| couriers?| express delivery|快递|快件)?$",
    regex.I,
)


def known_as(name: str) -> Known | None:
    """Return what goes by a name; letter case and what people put around a name aside."""
    plain = name.strip().casefold()
    bare = _DRESSING.match(plain)
    return _BY_NAME.get(plain) or (_BY_NAME.get(bare[1]) if bare else None)


def canonical(value: str) -> str:
    """Return the usual name of what a value names, as it is compared; empty for what is in no table."""
    known = known_as(value)
    return known.name.casefold() if known is not None else ""


def topic_of(value: str) -> str:
    """Return what a preference is a choice of, where the table knows; empty otherwise."""
    known = known_as(value)
    if known is not None and known.entity_type in _KINDS:
        return known.entity_type
    plain = value.strip().casefold()
    return next((topic for topic, pattern in _PATTERNS.items() if pattern.fullmatch(plain)), "")
