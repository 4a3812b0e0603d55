"""Instructions to the memory itself, or to its reader, hidden in what a person or a page says."""

import regex

from memories.plain_signs import plain

_ENGLISH = regex.compile(
    r"""
    \b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|these)\b
        [^.!?\n]{0,40}\b(?:instruction|rule|prompt|guideline|polic|restriction|safety|context|order)
    | \bsystem\s*(?:prompt|message|override|instruction|note|update|notice)\b | \bdeveloper\s+mode\b | \bjailbreak
    | \b(?:new|updated|hidden|secret|special)\s+(?:system\s+)?instructions?\b
    | \b(?:note|attention|message|instructions?|reminder|important|warning)\b\s*(?:to|for)\s+(?:the\s+|any\s+|all\s+)?
        (?:ai|assistants?|agents?|bots?|models?|llms?|memory|chatbots?)\b
    | \b(?:forward|pass|relay|send|report|tell|hand|message|note)\b[^.!?\n]{0,20}\bto\s+(?:the\s+|your\s+)?memory[\s-]+(?:agent|service|system|keeper|manager)\b
    | \b(?:ai|assistant|agent|bot|model|llm|memory)s?\b[,:]?\s+(?:(?:reading|processing|summari[sz]ing|seeing)\b[^.!?\n]{0,40})?
        (?:must|should\s+(?:now|always|never)|shall|is\s+(?:required|instructed|ordered)\s+to|are\s+(?:required|instructed)\s+to)\b
    | \b(?:store|save|add|write|record|insert|commit|put|persist|log|update)\b[^.!?\n]{0,60}
        \b(?:in|into|to|as|from)\s+(?:(?:the|your|its|long-term|permanent|a)\s+){0,3}(?:memory|memories|facts?|profile|knowledge\s+base|database|record)\b
    | \b(?:delete|erase|wipe|drop|clear|purge|remove|reset)\b[^.!?\n]{0,30}\b(?:all|every|entire|whole|everything|table|stored)\b
        [^.!?\n]{0,30}\b(?:memor|fact|record|data|history|table|profile|knowledge)
    | \b(?:drop|truncate)\s+table\b | \bdelete\s+from\s+\w+ | ;\s*--
    | \byou\s+are\s+now\b | \bfrom\s+now\s+on,?\s+you(?:'re|\s+are|\s+will|\s+must|\s+should\s+(?:act|behave|pretend|obey))\b
    | \bpretend\s+(?:to\s+be|you|that\s+you)\b | \bact\s+as\s+(?:an?|the|if)\b
    | \b(?:admin|administrator|root|superuser|is_admin|role|verified|trusted|privileged)\s*(?:=|:|\s+equals)\s*\S
    | \b(?:i\s*am|i'm|user\s+is|user\s+has|he\s+is|she\s+is|they\s+are)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:verified\s+|trusted\s+|system\s+|site\s+|full\s+)*
        (?:admin(?:istrator)?|root|superuser|owner\s+of\s+(?:this|the)\s+(?:system|tenant|account)|your\s+(?:developer|creator|operator|owner|master))\b
    | \b(?:grant|give|has|have|gets?)\b[^.!?\n]{0,30}\b(?:admin|root|full|unlimited|elevated|unrestricted)\s+(?:access|rights?|privileges?|permissions?|powers?)\b
    | \bmark\b[^.!?\n]{0,40}\bas\s+(?:verified|trusted|confirmed|true|fact)\b
    | \b(?:supersede|overwrite|replace|retract)\b[^.!?\n]{0,40}\b(?:memor|fact|record)
    | \b(?:confidence|importance)\s*(?:=|:|\s+of)\s*(?:1|0\.\d|max|100)
    | \[\[?\s*(?:system|inst|assistant|memory)\b | <\|?\s*(?:system|im_start|assistant|memory)\b | \#{2,}\s*(?:system|instruction|memory)
    | \b(?:end\s+of|begin)\s+(?:system|user|prompt|conversation|instructions?)\b
    | \bremember\s+(?:that\s+)?the\s+user\b
    """,
    regex.X | regex.I,
)
_CHINESE = regex.compile(
    r"""
    (?:忽略|无视|忘记|忘掉|跳过|绕过|不要遵守)[^。！？\n]{0,16}(?:指令|指示|规则|提示词?|限制|设定|要求|约束)
    | 系统(?:提示词?|指令|消息|通知|覆盖|更新)[：:，]? | 开发者模式 | 越狱 | 新(?:的)?指令
    | (?:写入|存入|存到|保存到|记录到|添加到|加入|录入)[^。！？\n]{0,10}(?:记忆|数据库|档案|画像|知识库|事实)
    | (?:在|往|向|到|给)[^。！？\n]{0,10}(?:记忆|数据库|档案|画像|知识库)(?:库|系统)?(?:里|中|内|上)?[^。！？\n]{0,4}(?:添加|写入|加入|录入|记录|保存|存入|加上|补上|追加)
    | (?:删除|清空|清除|抹掉|擦除|重置)[^。！？\n]{0,10}(?:所有|全部|一切)[^。！？\n]{0,8}(?:记忆|事实|数据|记录|历史)
    | (?:所有|全部)(?:的)?(?:记忆|事实|记录)[^。！？\n]{0,8}(?:删除|清空|清除)
    | 你现在是 | 从现在(?:开始|起)[，,]?你(?:是|要|必须|将|就是) | 扮演 | 假装你
    | (?:给|致|提醒)(?:AI|人工智能|助手|模型|机器人|智能体)(?:的)?(?:提示|指令|说明|消息|注意)?[：:]
    | (?:AI|人工智能|助手|模型|智能体)(?:必须|应当|务必|需要立即)
    | (?:我|用户|该用户)(?:现在)?(?:是|为|成为)(?:本系统|系统|超级|站点|最高)*(?:管理员|超管|root|admin|你的(?:开发者|主人|创造者))
    | (?:管理员|最高|超级|无限|全部)(?:的)?权限 | (?:记住|请记住|牢记)[：:，,]?\s*(?:该)?用户
    | (?:覆盖|替换|取代|改写)[^。！？\n]{0,8}(?:记忆|事实|记录) | 标记为(?:已验证|可信|已确认|真实)
    """,
    regex.X | regex.I,
)


_CLAIMS = regex.compile(
    r"\bthe\s+user(?:'s)?\s+(?:has|is|wants?|prefers?|lives?|real|actual|new|agrees?|agreed|authori[sz]ed?)\b"
    r"|(?:该|此)用户(?:是|有|已|喜欢|住)",
    regex.I,
)
"""How nobody speaks of himself; a memory does."""


def instructs(content: str) -> bool:
    """Say whether a turn tells the memory, or who serves it, what to believe or to do with what it holds."""
    return instructs_reader(content) or bool(_CLAIMS.search(plain(content)))


def instructs_reader(text: str) -> bool:
    """Say the same of a memory's text, which speaks of the user in the third person anyway."""
    seen = plain(text)
    return bool(_ENGLISH.search(seen) or _CHINESE.search(seen))
