"""What English sentences do when they ask, fail, explain, mend or decide.

The expressions see folded text: lower case, straight quotes, no backticks. They were written from
knowledge of the language and checked for false alarms against real chats, not fitted to labels.
"""

from __future__ import annotations

from alaya.distill.acts import Act, Cue, cue

_NOT_FAILING = (
    r"\b(?:no|without|without the|zero|0|any|fewer) (?:more |known |further |new )?(?:errors?|"
    r"issues?|bugs?|"
    r"problems?|leaks?|failures?|failed|timeouts?|crashes)\b|error[- ]handling|handle errors|"
    r"error rate|"
    r"on-failure|[=:] ?0\b|not missing|won't make|miss(?:ing)? (?:the|my) deadline|"
    r"error message[s]? (?:should|must)|\bif (?:it|this|that|the|a|an|any|one|\w+) (?:\w+ )?"
    r"(?:fails?|crash|is missing|is broken|errors?)|\bfail(?:s)? fast|\b(?:avoid|prevent|"
    r"bug tracker)"
)
_CHANGE = (
    r"(?:add|adding|chang\w+|set|setting|mov\w+|replac\w+|pin|pinned|pinning|bump\w*|remov\w+|"
    r"rais\w+|"
    r"increas\w+|switch\w*|wrap\w*|disabl\w+|enabl\w+|renam\w+|updat\w+|upgrad\w+|downgrad\w+|"
    r"rewr\w+|"
    r"correct\w*|clear\w*|delet\w+|rotat\w+|renew\w*|reinstall\w*|restart\w*|rebuil\w+|reset\w*|"
    r"regenerat\w+|recreat\w+|mount\w*|install\w*|export\w*|lower\w*|reduc\w+|swap\w*|"
    r"turn\w* (?:on|off)|"
    r"convert\w*|cast\w*|clos\w+|call\w*|pass\w*|us(?:e|ing)|run\w*|put\w*|prun\w+|escap\w+|"
    r"quot\w+|"
    r"tighten\w*|loosen\w*|clean\w*|unplug\w*|specify\w*|specif\w+|patch\w*|revert\w*|roll\w* back)"
)

CUES: tuple[Cue, ...] = (
    cue(Act.QUESTION, r"\?[\"')\s]*$"),
    cue(
        Act.QUESTION,
        r"^(?:so |and |but |ok,? |hey,? )?(?:what|why|how|when|where|who|which|can|could|would|do|"
        r"does|"
        r"did|is|are|should|any (?:idea|chance))\b(?: (?:you|i|we|it|the|this|that|there|a|an|do|"
        r"does|"
        r"did|is|are|should|can|would|to|come|about|if)\b)(?!.*[.:]$)",
    ),
    cue(
        Act.TENTATIVE,
        r"\b(?:maybe|perhaps|might|may be|could be|could also|possibly|probably|not sure|what if|"
        r"suppose|hypothetical\w*|in theory|someday|some day|i guess|i wonder|wondering|"
        r"if (?:we|i|you|they) (?:were|had|could|decide|went|ever|want\w*)|would be (?:nice|cool|"
        r"great)|"
        r"wish (?:i|we)|(?:you|we) could|can you try|try (?:to|with|again|setting|running|adding|"
        r"it|this|that|changing|turning|clearing|restarting|removing)|in case)\b",
    ),
    cue(
        Act.REQUEST,
        r"^(?:please|pls|can you|could you|would you|help me|i(?:'d| would) like (?:you )?to|"
        r"i need you|"
        r"i want (?:you )?to|i need to|show me|tell me|give me|write|make|create|explain|generate|"
        r"summari[sz]e|find|fix|check|look|let me know|add|implement|refactor|rename|remove|"
        r"update)\b"
        r"|\b(?:can|could) you (?:please )?(?:help|show|explain|give|write|tell|review|check|make|"
        r"add)\b"
        r"|\bi(?:'m| am) (?:trying|looking|hoping) to\b|\bi want to (?:make sure|know|ensure)\b",
    ),
    cue(
        Act.PROBLEM,
        r"\b(?:\w*error\w*(?![./_]\w)|\w*exception(?![./_]\w)|traceback|crash\w*|fail(?:s|ed|ing|"
        r"ure|ures)?|panic\w*|segfault\w*|"
        r"timed? ?out\w*|timeouts?|deadlock\w*|broken|broke|breaks|oom\w*|out of memory|refused|"
        r"denied|"
        r"rejected|not found|unreachable|corrupt\w*|regression|bug|leak\w*|hangs?|hanging|hung|"
        r"frozen|"
        r"freezes|stuck|exit code [1-9]\w*|not working|unable to|flaky|garbled|mojibake|"
        r"incorrect\w*|"
        r"won't \w+|(?:can't|cannot|couldn't) (?:connect|reach|start|log ?in|open|build|load|"
        r"import|find|"
        r"resolve|see|access|get|run|install|parse|read|write|push|send|print)|"
        r"(?:doesn't|don't|didn't|does not|do not) (?:work|start|load|show|update|fire|appear|"
        r"trigger|"
        r"compile|build|render|respond|connect|match|save|persist|open|stop|arrive|run|pick|get|"
        r"receive|play)|"
        r"keeps? (?:on )?\w+ing|is (?:empty|wrong|blank|ignored|off by \w+|too slow|unresponsive|"
        r"down)|"
        r"are (?:empty|wrong|blank|ignored|gone|doubled|off by \w+)|wrong \w+|duplicate[sd]?|twice|"
        r"restart(?:s|ing) (?:every|all|over)|complain\w*|spik(?:es|ed|ing)|silently|dropp(?:ed|"
        r"ing|s)|"
        r"disappear\w*|vanish\w*|lost|missing|slow(?:s|er)?(?: down)?|overheat\w*|throttl\w+|"
        r"outage|"
        r"went down|killed|evicted|backoff|unhealthy|conflict\w*|drift\w*|collaps\w*|burn(?:t|ed)|"
        r"stopped (?:working|responding)|falls? (?:over|apart)|goes? (?:red|stale|wrong)|"
        r"went (?:red|stale|wrong)|double[- ]charged|npm err|err!|blank|white screen|black screen|"
        r"nothing happens|don't add up|doesn't add up|off by|100 ?% (?:cpu|of)|dies|kept \w+ing|"
        r"overflow\w*|"
        r"mismatch\w*|crashloop\w*|sinks?|soggy|burnt|leaky|squeak\w*|rattl\w+|blinks?|"
        r"flicker\w*|won't|grow(?:s|ing) until|undefined|nan|nullpointer\w*|unauthori[sz]ed|"
        r"forbidden|4\d\d|5\d\d)\b",
        unless=_NOT_FAILING,
    ),
    cue(
        Act.MAYBE_PROBLEM,
        r"\b(?:issues?|problems?|trouble|weird|strange\w*|odd|doesn't|isn't|aren't|can't|cannot|"
        r"instead of|suddenly|only when|every time|unexpected\w*|confus\w+|noisy|hurts?|"
        r"why (?:is|does|do|are))\b",
        unless=_NOT_FAILING,
    ),
    cue(
        Act.CAUSE,
        r"\b(?:root cause|turns out|turned out|culprit|caused by|all along|it was the|was never|"
        r"were never|known (?:issue|bug)|so (?:the|your|it) \S+(?: \S+)? (?:had|was|were|wasn't)|"
        r"was because|is because|it's because|"
        r"that's why|that is why|which is why|that explains|explains (?:why|the|it)|boils? down to|"
        r"(?:comes?|came|stems?|stemmed) from|(?:was|were) due to|is due to|to blame|the mistake|"
        r"that(?:'s| is| was) it:|found (?:it|the (?:problem|issue|cause|bug|culprit|reason))|"
        r"i see (?:it|the (?:problem|issue|bug))|the cause\b|forgot to|"
        r"the (?:real |actual |underlying |whole )?(?:problem|issue|reason|bug|trouble|catch|trick|"
        r"failure|crash|error|slowdown|leak|mismatch)(?: here)? (?:is|was|were|lies|happens|comes|"
        r"came|turns)|"
        r"problem:|cause:|reason:|never (?:set|called|closed|released|awaited|reached|loaded|ran))",
        unless=r"\b(?:the (?:error|problem|issue) is (?:gone|fixed|resolved|still|back|the same))",
    ),
    cue(
        Act.MAYBE_CAUSE,
        r"\b(?:because|since|due to|means (?:that|the)|so (?:it|the|that|every|each|your|nothing|"
        r"any)|by default|"
        r"expects?|missing|wasn't|isn't|doesn't|does not|never|still (?:points?|had|has|uses|used)|"
        r"was (?:set|built|using|running|still|too|not|only)|(?:is|are) (?:only|never|not)|which "
        r"(?:is|was|means|makes|breaks|drops|has|needs)|instead of|stale|old|expired|outdated|"
        r"mismatch\w*|incompatible|too \w+|read-only|relative to|looks like|seems|before the|"
        r"conflict\w*|same \w+|wrong|not \w+ed|full|limit\w*|already|overrid\w+|overwrit\w+|"
        r"shadow\w+|collid\w+|race|cached)\b",
    ),
    cue(
        Act.FIX,
        r"\b(?:the (?:\w+ )?(?:fix|solution|workaround|remedy|cure)(?: here)? (?:is|was|:)|fix:|"
        r"solution:|"
        r"workaround:|(?:fixed|solved|resolved|cured|sorted)(?: it| this| that)? (?:by|with|in|it)|"
        r"(?:solves|solved|resolves|resolved|fixes|fixed|cures|cured) (?:it|this|that|the|"
        r"everything)|"
        r"to (?:fix|solve|resolve|avoid|work around|get around) (?:this|it|that|the)|"
        r"worked around|patched|"
        r"^fixed\b|(?:now|it's|that's|is now|got it|finally) fixed|got it (?:working|fixed|"
        r"running)|"
        rf"{_CHANGE} .{{2,80}} (?:fix\w*|solv\w*|resolv\w*|help\w*|did the trick|brought|cured|"
        rf"made it|does it|did it|works?|gets? rid)\b|"
        rf"after (?:i |we |you )?{_CHANGE}|once (?:i|we|you) {_CHANGE}|"
        r"i (?:just |only |finally )(?:had to )?(?:changed|added|set|moved|replaced|pinned|bumped|"
        r"removed|raised|"
        r"increased|switched|wrapped|disabled|enabled|renamed|corrected|cleared|rotated|renewed|"
        r"reinstalled|downgraded|upgraded|reverted|rebuilt|patched|cleaned|swapped|lowered|"
        r"reduced) )",
        unless=r"\b(?:not fixed|isn't fixed|to be fixed|fixed[- ](?:size|width|price|term|rate|"
        r"point|date|costs?))",
    ),
    cue(
        Act.MAYBE_FIX,
        rf"(?:^|\b(?:i(?:'ve| have)?|we(?:'ve| have)?|you (?:need|have) to|should|just|must|then|"
        rf"please|i'll|i will|and|to|so|by|let's|need to"
        rf"|instead,?|now|:|,) ){_CHANGE}\b|\bneeds (?:to be|a|an|the)\b",
    ),
    cue(
        Act.SUCCESS,
        r"\b(?:works?(?: just)? (?:now|again|fine|perfectly|great|flawlessly|like a charm|"
        r"as expected)|"
        r"working (?:now|again|fine|perfectly)|(?:that|this|it) (?:did it|fixed (?:it|everything)|"
        r"worked|was it|"
        r"solved (?:it|everything)|did the trick|does the trick|works|helped|nailed it)|"
        r"did the trick|"
        r"(?:tests?|checks|suite|build|pipeline|ci|job)(?: \w+){0,2} (?:is |are |now |"
        r"all )*(?:pass\w*|green|"
        r"succeed\w*|clean)|[1-9]\d* pass(?:ed|ing)|all green|(?:build|deploy\w*|install\w*|"
        r"migration|upload) "
        r"(?:succeeded|successful|complete[d]?|finished)|successfully|(?:is|are) (?:healthy|up|"
        r"back|green|stable|"
        r"fine|clean|gone|running|fast|correct|responsive)(?: and \w+)?(?: now| again)?(?=[.,!;:]|"
        r"$| and| on)|"
        r"no more \w+|no longer \w+|(?:went|gone) away|exit code 0|200 ok|http/[\d.]+ 20\d|"
        r"back to normal|"
        r"connected (?:at once|now|fine|right away|immediately)|(?:loads|builds|compiles|starts|"
        r"runs|boots|"
        r"prints|renders|shows up|connects|passes|imports) (?:now|again|fine|cleanly|instantly|"
        r"in \d)|"
        r"(?:it|that)'?s (?:fixed|solved|working|resolved|gone|sorted)|all good(?: now)?|"
        r"can confirm|confirmed|verified|down (?:from \S+ )?to \d|from \d\S* ?\w* to \d|"
        r"solved[.!]|fixed[.!]|"
        r"resolved[.!]|(?:healthy|up \d+ \w+|status: ok|ok \(|^pass\b|done in \d|completed|"
        r"0 errors|listening on|ready in|up to date|yup|bingo|that was (?:it|the (?:problem|"
        r"issue))|(?:it|that) (?:runs|prints|boots|loads|builds|imports|compiles|passes|starts|"
        r"connects)|stable|smooth\w*|finished|running 1/1|1/1 running))",
        unless=r"\b(?:not|isn't|doesn't|didn't|never|won't|hasn't|should be|will be|would be|"
        r"if (?:it|that))\b|\?$",
    ),
    cue(
        Act.STILL,
        r"\b(?:still (?:fail\w*|broken|the same|get\w*|not|doesn't|does|crash\w*|happen\w*|no|"
        r"see\w*|hang\w*|"
        r"nothing|drop\w*|there|stuck|slow|times? out|won't|can't|blank|empty|says?|throw\w*)|"
        r"same (?:error|problem|issue|thing|result|story)|"
        r"(?:didn't|doesn't|did not|does not) (?:help|work|fix|change|make a difference)|no luck|"
        r"no change|no difference|"
        r"not fixed|came back|is back again|happened again|again the same)",
    ),
    cue(
        Act.UNRESOLVED,
        r"\b(?:leave it (?:for now|there|at that)|give up|gave up|another day|some other (?:time|"
        r"day)|"
        r"never ?mind|forget (?:it|about it)|(?:look|deal|think|decide|come back|revisit)\b.{0,20} "
        r"(?:tomorrow|later|next week|monday|another time)|don't know yet|no idea|still unclear|"
        r"out of ideas|"
        r"park (?:it|this)|^revert\b|i'll think about it|not now\b|leave it)\b",
    ),
    cue(
        Act.DECISION,
        r"\b(?:(?:we|i|they|he|she)(?:'ve| have|'d| had)? (?:\w+ ){0,2}?(?:decided|settled|agreed|"
        r"chosen|picked|"
        r"opted|chose|concluded|went with|ruled out)\b|(?:has|have) been decided|it(?:'s| is|"
        r" was) decided|"
        r"(?:final |my |our )?decision(?: (?:is|was|made)\b|:)|decided (?:to|on|against|not|that)|"
        r"(?:let's|let us|we'll|we will|we're|we are|i'll|i'm|i am|i will|gonna|gotta) (?:just |"
        r"all |then |definitely "
        r"|going to |gonna |both )?(?:go(?:ing)?|stick(?:ing)?|stay(?:ing)?) (?:ahead )?(?:with|"
        r"for)\b|"
        r"^(?:ok(?:ay)?,? |then |so |yes,? |fine,? |alright,? |right,? )*(?:go|stick|stay) with\b|"
        r"final (?:call|choice|word)|settled:|is settled|verdict|sold on|"
        r"(?:let's|we'll|we will|we're|we are|i'll|i'm|i am) (?:\w+ ){0,2}?(?:switch|mov|migrat|"
        r"drop|ditch|standardi[sz]|"
        r"postpon|delay|skip|abandon|adopt|retir|deprecat|sunset|kill|freez|cap|consolidat|"
        r"hold)\w* "
        r"|(?:going|moving|switching) (?:with|to|over to) \w+ (?:then|instead|from)|"
        r"(?:my|our|the) (?:choice|pick|call) (?:is|was|:)|\w+ it is\b(?=[.,!;:]|$| then)|"
        r"(?:approved|signed off|agreed)(?:[:,.]| on\b| to\b| that\b)|"
        r"we(?:'ll| will|'re going to| are going to) (?:use|keep|store|ship|host|"
        r"support|only|not|split|replace|require|buy|hire|book|launch|target|charge|go|stay|stick|"
        r"drop|skip)\b|"
        r"(?:use|choose|pick|take|go for|keep|prefer) \S+(?: \S+){0,4},? (?:instead|rather than|"
        r"over)\b|"
        r"let's (?:just |all |then |also |always |never |definitely )?(?:not|keep|pick|choose|"
        r"drop|skip|adopt|ship|settle|split|store|cap|limit|require|replace|avoid|pin|host|park|"
        r"book|"
        r"go|use|stay|stick|call it|only|buy|order|launch|target|standardi[sz]e|deprecate|support|"
        r"trim|cut|take|do (?!it\b|this|that|some|the (?:first|next|same|second)|a (?:quick|test|"
        r"review))\w+|make (?:it|that|this|them) (?!a habit|a rule))\b(?! (?:through|over|ahead|"
        r"back))|"
        r"^(?:(?:ok(?:ay)?|right|alright|fine|yes|yeah|then|good|cool)[,.]? )*(?!see|talk|until|"
        r"till|back|just|and|what|how|why|so|if|when|later|not|but|well|"
        r"bye)[^,?]{1,40} then[.!]?$|i'm (?:going to|gonna) (?:use|take|keep|choose|buy|pick|stay|"
        r"stick|go with|go for|accept|decline|skip)\b|"
        r"(?:ended up (?:choos|pick|go|tak|buy|with|keep)\w*|landed on|committed to|rul(?:ed|"
        r"ing) \w+ out|off the table|the plan is|won't be (?:using|doing|supporting|adding)|"
        r"(?:we|i) (?:won't|will not) (?:use|support|do|add|buy|ship|go|renew|build|move|switch|"
        r"touch)|(?:stop|stopped|stopping|quit) using|is out\b(?= of the question|[.,;]|$)|"
        r"\w+ wins\b|my call|we settle (?:for|on)|good enough for (?:us|me|now|v1)|(?:fine|happy|"
        r"ok(?:ay)?) with (?!me|that\?|it\?)\w+|makes (?:the )?most sense|scrap \w+|"
        r"leave \w+ (?:out|for (?:later|another|now))|"
        r"(?:we|i)(?:'ll| will) (?:keep|stick|stay|take|pick|have)\b|please (?:go with|use|take|"
        r"keep) (?:the|option)|(?:the )?(?:first|second|third|last|former|latter) (?:one|"
        r"option)\b|"
        r"(?:is|are) (?:moving|switching|migrating|going) (?:to|with|over)|replac(?:e|"
        r"ing) \S+(?: \S+){0,3} with|put me down for|go(?:es|ing)? live (?:on|in)|"
        r"(?:manager|boss|team|board|client|cto|ceo|lead|legal|everyone|"
        r"everybody) (?:\w+ )?(?:approved|wants|agreed|agrees|signed off|is fine with|said yes|"
        r"decided|prefers|picked|chose)|"
        r"made up (?:my|our) mind|decision made|voted (?:for|to|against)|i'd go for|i'll (?:take|"
        r"go for|pick|choose|accept)|settled on|no more back and forth)|"
        r"^(?:\w+,? ){0,2}(?:use|take|keep|make it|store|put|do|choose|pick|go|ship|"
        r"support) [^,?]{1,50}, not \w+|we(?:'re| are) not (?:going to |gonna )?(?:\w+ing|support|"
        r"do|use|add)\b|"
        r"^(?:no|nope|nah)[,.] (?:skip|drop|keep|leave|use|stay|stick|we)\b|(?:keep|leave) (?:it|"
        r"the|this|that|everything)\b.{2,60}\b(?:for now|as (?:it )?is|for v1|until)\b|"
        r"\bmake it (?:\w+day|\d|the)\b|"
        r"\b(?:for|in) (?:the )?(?:first (?:version|release)|v1|mvp|phase one|phase 1)\b(?!.*\?))",
        unless=r"\b(?:haven't|hasn't|not (?:yet )?|can't|cannot|couldn't|before (?:we|i)(?:'ve)?|"
        r"until (?:we|i)|"
        r"once (?:we|i)(?:'ve)?|when (?:we|i)) (?:\w+ )?(?:decide|chosen|settled|agree|chose|go|"
        r"decided)|"
        r"help (?:me|us) decide|let's (?:see|say we|look|check|try|dive|walk|start (?:with|by)|"
        r"review|break|"
        r"refine|use (?:this|that) as|do (?:it|this|that) (?:later|tomorrow)|take a look|take the|"
        r"make sure|"
        r"move (?:on|to)|switch (?:gears|topics?))|"
        r"we'll (?:see|use|start|create|need|also|do|make|build|write|run)\b.*:$|moving (?:on|"
        r"forward)",
    ),
    cue(
        Act.MAYBE_DECISION,
        r"\b(?:let's|we should|we'll|i'll (?:take|go|book|buy|pick|use)|i(?:'d| would) (?:rather|"
        r"prefer)|"
        r"i prefer|i want (?:it|the|us|to (?:use|keep))|go (?:with|for)|option (?:\d|[a-d]\b|one|"
        r"two)|the (?:first|second|former|"
        r"latter|last) (?:one|option)|no need (?:for|to)|^(?:(?:ok(?:ay)?|yes|no|right|fine|"
        r"alright|then|and),? )*(?:use|keep|skip|drop|leave|take|choose|pick|prefer|store|put|"
        r"not)|is (?:enough|overkill|plenty)|overkill|stay (?:on|at)|let's|i want)\b",
    ),
    cue(
        Act.ORDER,
        r"^(?:(?:ok(?:ay)?|yes|no|nope|right|fine|alright|then|and|also|but|good|great|hm+|"
        r"actually|please|just),? )*(?:use|keep|skip|drop|leave|take|choose|pick|prefer|store|put|"
        r"name|call it|call them|make (?:it|them|the|that)|"
        r"default to|limit|cap|set|don't|do not|no |only|stay|stick|ship|hide|disable|enable|"
        r"split|merge|move|treat|round|cut|ignore|reject|allow|require|expose|return|log|"
        r"no)\b(?! (?:worries|problem|idea|rush|need to|thanks|me|hurry|clue))"
        r"|\b(?:should|shall|must|has to|have to|needs to|will) (?:stay|remain|be|go|keep|live|"
        r"use|not|only|default|never|always)\b|\b(?:i want|i'd like|we want|we need) (?:it|this|"
        r"that|them|the|a|an|no|all|every|only)\b",
        unless=r"\bmake (?:it|that|them) (?:shorter|longer)|don't (?:worry|know|think|have|see|get|"
        r"understand|remember|want|need|mind|care|like|forget)\b",
    ),
    cue(
        Act.TERSE,
        r"^(?:(?:ok|okay|yes|yeah|yep|no|nope|nah|right|fine|alright|cool|good|great|hm+|sure|"
        r"agreed|actually|lol|ha|and|also|but|so|oh|then|please|just)[,. ]+)*(?:"
        r"(?:ditch|drop|scrap|skip|keep|stay|pin|cap|call it|name it|lock|book|ship|choose|pick|"
        r"take|leave|lose|kill|cut|park|shelve|postpone|delay|cancel|decline|accept|go with|"
        r"go for|stick|switch|"
        r"let's go|we go|we keep|we stay|we drop|we skip|we ship|we take|we use|use|i'll take|"
        r"i take|i pick|i choose)\b(?! (?:it up|up\b|going|me|in mind|an eye|trying|calm|you|us|"
        r"a look|a break|a screenshot|your|notes?|care))|"
        r"no (?!problem|worries|idea|rush|need|thanks|luck|way|clue|errors?|change|difference|one|"
        r"more questions|it|i|that|but|because)\w+|"
        r"(?:the )?(?:1st|2nd|3rd|first|second|third|last|cheap\w*|small\w*|big\w*|short\w*|"
        r"simple\w*|boring|other|former|latter|blue|red|green|left|right|old|new|middle) (?:one|"
        r"option|version|variant|plan|route)\b|"
        r"option (?:\d|[a-d])\b|[a-d][.!]?$|both[.!,]|neither)"
        r"|^[^,.?!]{2,40}, not \w+|\b(?:then|it is|it stays|wins|is fine|is enough|is plenty|"
        r"is overkill|will do|for now|for good|everywhere|by default|max|only|final|decided|"
        r"done deal|over \w+|instead)[.!]?$"
        r"|^(?:decided|decision|final|settled)\b|\b(?:is|are|we're|i'm) (?:out|off the table|a no|"
        r"a yes|a go|taking|leaving|staying|keeping|selling|dropping|skipping|not (?:renewing|"
        r"doing|going|taking|buying|adding|using))\b"
        r"|^[\w' -]{2,30} (?:stays?|goes|is out|are out|wins?)[.!]?$|\bgoes (?:to|in|into|behind|"
        r"on)\b|\b(?:told|said) (?:them|him|her|the \w+) (?:yes|no|we)\b|\b(?:signed|cancelled|"
        r"canceled|booked|declined|turned (?:it|them|him|her) down|ordered|handed in)\b",
        unless=r"\b(?:fine|done|ok|thanks|thank you|good night|bye|see you|later|go ahead|right|"
        r"sure) (?:then|for now)[.!]?$|\bno (?:it|that|this|they|still)\b|\b(?:error|fail\w*|"
        r"works?|working|broken)\b",
    ),
    cue(
        Act.UNDECIDED,
        r"\b(?:haven't decided|hasn't decided|not decided|undecided|still (?:deciding|thinking|"
        r"debating|torn|"
        r"weighing)|torn between|can't decide|on the fence|thinking (?:about|of)|considering|"
        r"leaning towards?|no decision|should (?:we|i)|think (?:it|about it) over|sleep on it)\b",
    ),
    cue(
        Act.PROPOSAL,
        r"\b(?:i(?:'d| would)? (?:recommend|suggest|advise|propose|lean|go with|pick|choose|"
        r"favou?r)|recommendation|"
        r"my (?:suggestion|pick|vote|advice|proposal)|recommended|the (?:best|better|simplest|"
        r"safest|cleanest) "
        r"(?:option|choice|approach|way|fit|bet)|how about|what about|option [a-c1-3]|"
        r"is a better fit|"
        r"proposal:|i'd (?!like|love|be|need|have|say|rather)\w+|i would (?!like|love|be|need|"
        r"have|say)\w+|the usual (?:approach|way|fix|answer)|(?:we|you|i) (?:could|can) (?!see|"
        r"you|not)\w+|alternatively|"
        r"(?:cleaner|simpler|safer|better|cheaper|faster|easier) (?:would be|is to|way|option|"
        r"alternative)|two (?:ways|options|choices)|either (?:we|you|i)|plan:|then i'll)\b",
    ),
    cue(
        Act.ACCEPT,
        r"^(?:ok(?:ay)?|yes|yep|yeah|yup|sure|sounds (?:good|great|right)|agreed|perfect|great|"
        r"fine|good|alright|"
        r"right|deal|done|works for me|makes sense|let's do|do (?:it|that)|go (?:ahead|for it|"
        r"with)|"
        r"i like|love it|fair enough|convinced|approved|exactly|absolutely)\b",
    ),
    cue(
        Act.REASON,
        r"\b(?:because|since|so that|the reason|due to|as (?:it|we|they|our|the) |to (?:avoid|"
        r"save|keep|reduce|"
        r"prevent|stay)|mainly|otherwise|that way|which (?:gives|means|saves|lets|keeps|avoids)|"
        r"too "
        r"(?:expensive|slow|heavy|much|complex|risky|fragile|many)|cheaper|simpler|easier|"
        r"enough for)\b",
    ),
    cue(
        Act.OPTIONS,
        r"\b(?:vs|versus|or (?:should|do|rather)|either|options?|alternatives?|compared? (?:to|"
        r"with)|trade-?offs?|"
        r"pros and cons|between \S+ and|torn|choose|pick|which one|on the other hand)\b",
    ),
)
