"""Moods: the words by which a clause asks, supposes, hedges, or tells what somebody else said."""

import regex

QUESTION_OPENER = regex.compile(
    r"^(?:and |but |so |ok |okay |hey |hi |please |well )*(?:what(?! (?:actually |really |finally )?(?:worked|helped|fixed|did it|did the|solved))|where|when|who|whom|whose|why|how|which|is|are|was|were|am|can|could|"
    r"would|will|should|shall|any|isn't|aren't|won't|can't|couldn't|shouldn't|(?:do|does|did(?! (?:that|this|it)(?:,| and| but|$))|don't|doesn't|didn't|have|has|had|may|haven't|hasn't) "
    r"(?:I|you|we|they|he|she|it|my|the|this|that|there|any|anyone)\b)(?<=\w)(?!\w)(?! (?:no longer|not) )",
    regex.I,
)
CHINESE_QUESTION = regex.compile(
    r"(?:吗|呢|(?<![怎这那])么|吧？|是不是|有没有|能不能|可不可以|要不要|会不会|该不该|什么|(?<!不)怎么|怎样|如何|哪|谁|为何|为什么|几点|多少(?!钱都)|多久|对不对|好不好|行不行)"
)
CHINESE_ASKS = regex.compile(
    r"(?:吗|呢|啥|咋样?|啥来着|来着|什么|几点|多少)[呀啊]?[?？。!！]?$|是不是|能不能|可不可以|要不要|会不会|该不该|怎么[办做样弄]|为什么|为啥"
)
"""What makes a whole sentence of several clauses a question."""
SUPPOSES = regex.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|pretend|hypothetically|assuming|what if|let's say|say I|in case|as if|as though|"
    r"would've|could've|should've|if only|wish|hopefully|fictional|fiction|role-?play|in (?:my|the|a|this) (?:novel|story|book|game|dream|"
    r"movie|film|play|scenario|example)|my character|the character|just kidding|joking|for example|e\.g\.|such as someone|anyone who|someone who|people who)\b",
    regex.I,
)
CHINESE_SUPPOSES = regex.compile(
    r"如果|要是|假如|假设|假使|倘若|万一|比方说|比如说|譬如|设想|若是|的话|但愿|希望我|真希望|恨不得|小说|剧本|故事里|游戏里|梦里|梦见|梦到|角色|开玩笑|逗你|台词|歌词"
)
HEDGES = regex.compile(
    r"\b(?:maybe|perhaps|probably|possibly|could be|not sure|I think|I guess|I suppose|I believe|apparently|supposedly|kind of|sort of|"
    r"thinking (?:of|about)|considering|planning (?:to|on)|plan to|hope to|hoping to|want to|would like|would love|I'd(?! (?:say|rather|sooner)\b)|going to|gonna|about to|"
    r"try(?:ing)? to|tempted|someday|one day|eventually|will|I'll|we'll|wondering|almost|nearly|looking (?:to|for|into)|need to|should)\b|(?-i:\b(?:might|may)\b)",
    regex.I,
)
CHINESE_HEDGES = regex.compile(
    r"可能|也许|大概(?!在|是?\d)|或许|好像|似乎|应该(?!是\d)|说不定|估计|没准|不确定|不太确定|打算|(?<!在)准备|考虑|计划|想要?(?!念|起|到|象)|将来|以后想|希望|差点|要不|感觉像|据说|听说|快要|将要|正想"
)
REPORTED = regex.compile(
    r"^(?:(?:my|our|his|her|their|the|a|an|some|one of my) [\w' -]{1,30}? |(?:he|she|they|someone|somebody|people|everyone|you|[A-Z][a-z]+) )"
    r"(?:just |always |also |once |keeps? )?(?:says?|said|told|tells|claims?|claimed|thinks?|thought|believes?|believed|writes?|wrote|mentioned|asked|asks|insists?|insisted|"
    r"heard|suggested|suggests?|recommended|recommends?|reckons?)\b",
    regex.I,
)
CHINESE_REPORTED = regex.compile(
    r"^(?:我(?:的|们)?)?(?:朋友|同事|老板|老婆|老公|妻子|丈夫|妈妈?|爸爸?|妈|爸|姐姐?|妹妹?|哥哥?|弟弟?|女儿|儿子|邻居|同学|客户|老师|医生|别人|有人|他们?|她们?|老[\p{Han}]|小[\p{Han}]|(?!我)[\p{Han}]{1,2}(?:哥|姐|总|老师|经理|医生))(?:刚才|昨天|今天|总|老|都|也|还)?(?:说|讲|告诉|觉得|认为|问|提到|表示|建议|推荐)"
)
