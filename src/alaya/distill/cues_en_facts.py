"""What English sentences do when they teach, define or tell about someone."""

from __future__ import annotations

from alaya.distill.acts import Act, Cue, cue

_KIN = (
    r"(?:wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|mom|mum|mother|dad|father|"
    r"parents?|son|daughter|kids?|child|children|baby|twins|brother|sister|siblings?|cousin|uncle|"
    r"aunt|nephew|niece|grand(?:ma|pa|mother|father|son|daughter)|in-laws|family|dog|puppy|cat|pet|"
    r"boss|manager|colleague|coworker|co-founder|cofounder|teammate|mentor|team|lead|doctor|"
    r"therapist|landlord|roommate|flatmate|neighbou?r|best friend|friend)"
)
_TIES = (
    r"(?:name|birthday|anniversary|email|e-mail|phone|number|address|time ?zone|job|role|title|"
    r"company|startup|employer|school|university|college|hometown|apartment|flat|house|car|laptop|"
    r"desk|office|budget|salary|deadline|flight|train|appointment|exam|interview|wedding|"
    r"blood type|shoe size|diet|goal|dream|hobby|passion|major|degree|native language|"
    r"favou?rite(?: \w+){0,3}|username|handle|editor|setup|shell|server)"
)
_PAST = (
    r"(?:\w{2,}ed|went|got|bought|made|took|saw|met|ran|won|lost|began|started|found|wrote|read|"
)
_PAST += (
    r"taught|built|gave|left|came|became|grew|held|sold|spent|flew|drove|ate|sang|swam|rode|hurt|"
)
_PAST += r"broke|chose|did|had|led|quit|hiked|put up|set up|moved)"

_ADVERBS = (
    r"(?:just|recently|finally|already|also|even|actually|really|usually|mostly|mainly|currently|"
    r"now|still|only|always|never|both|all|often|generally|normally|officially)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_WHEN = (
    rf"(?:yesterday|tomorrow|tonight|today|last|next|this (?:week|weekend|month|year|summer|"
    rf"winter|spring|fall|autumn|coming|past)"
    rf"|(?:\d+|a|two|three|four|five|six|few|couple(?: of)?|several) (?:day|week|month|"
    rf"year)s? ago|in (?:19|20)\d\d"
    rf"|since (?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|{_MONTH} \d{{1,2}}|(?:in|"
    rf"on|by|since|until|every|each|this|for) (?:{_MONTH}|{_DAY})"
    rf"|{_DAY}|in (?:\d+|two|three|a few) (?:day|week|month)s|the (?:other day|weekend)|"
    rf"\d{{1,2}}(?::\d\d)? ?[ap]m|for (?:\d+|two|three|four|five|six|seven|ten|many) years)"
)

CUES: tuple[Cue, ...] = (
    cue(Act.TIME, rf"\b{_WHEN}\b"),
    cue(
        Act.LESSON,
        r"\b(?:rule of thumb|best practice|good practice|lesson(?:s)?(?: learned| learnt)?(?: is|"
        r":|,| here)|takeaway|"
        r"(?:before|after|for|on|with) (?:every|each|any) [^,:]{2,40}[,:] |"
        r"when(?:ever)? (?:adding|writing|deploying|changing|creating|upgrading|migrating|"
        r"reviewing|debugging|onboarding|releasing|you \w+|we \w+|a \w+) [^,?]{0,50}, (?!i |it |"
        r"the )|"
        r"(?:each|every) (?:\w+ ){1,3}(?:needs?|must|gets?|has to|requires?|goes|should)|(?:the|a|"
        r"our|my) (?:\w+ ){0,2}?(?:pattern|recipe|trick|procedure|"
        r"workflow|process|playbook|runbook|routine|convention|checklist|drill|policy|golden rule|"
        r"rule|approach that works)"
        r"(?: \w+){0,4}?(?: is| here is|:| goes| that)|"
        r"(?:here's|here is|this is|that's|that is) how (?:we|i|you|to)|the way (?:we|i|to|"
        r"you) (?:do|handle|deal|run|roll|release|"
        r"deploy|go about|add|write|test)|(?:it )?works (?:every time|best|reliably)|in general,|"
        r"as a rule|"
        r"make (?:it|that|this) a (?:habit|rule)|from experience|what (?:works|worked) (?:for me|"
        r"for us|best|well)|"
        r"whenever (?:you|we|i|someone|a|the|there)|any ?time (?:you|we|i|someone)|"
        r"every time (?:you|we|i) \w+,|"
        r"steps? (?:are|to \w+|for)\b|general (?:rule|approach|recipe)|reusable|in (?:this|"
        r"that) order|(?:put|add|write|note) (?:it|that|this) (?:in|into|to|"
        r"down in) the (?:runbook|docs?|readme|checklist|wiki|handbook|guide|contributing)|"
        r"for (?:next|future) (?:time|reference)|next time)\b",
    ),
    cue(
        Act.RULE,
        r"\b(?:always|never|make sure|be sure to|remember to|don't forget|must(?:n't)?|do not|"
        r"don't ever|avoid|only ever|"
        r"ought to|at least once|no matter|watch out|beware|careful|pitfall|gotcha|caveat|"
        r"heads[- ]up|keep in mind|mind that)\b",
        unless=r"\b(?:i'm always|i am always|it(?:'s| is) always|i(?:'ve| have)? (?:always|never)|"
        r"you(?:'re| are) always|"
        r"must (?:be|have|feel) (?:so|proud|great|hard|amazing|been|really|tough|nice)|as always|"
        r"never mind|i'll always|"
        r"i must|you must be|was always|were always)\b",
    ),
    cue(
        Act.PITFALL,
        r"\b(?:watch out|beware|careful (?:with|about|that)|pitfall|gotcha|caveat|trap|bit(?:es|"
        r"ten)? (?:us|me|by)|surpris\w+|counter-?intuitive\w*)\b",
    ),
    cue(
        Act.WHEN,
        r"\b(?:before|after|whenever|each time|every time|when(?:ever)? (?:you|we|i|a|the|someone|"
        r"adding|changing|deploy\w*)|"
        r"whenever|prior to|as soon as|once|if (?:the|a|an|you|it|any)|until|on every|for every|"
        r"for each|in (?:tests|prod\w*|ci))\b",
    ),
    cue(
        Act.STEPS,
        r"\bfirst(?:ly)?\b.{3,200}\b(?:then|after that|afterwards|next|finally|second(?:ly)?)\b|"
        r"\b(?:then|after that|afterwards)\b.{3,120}\b(?:then|and finally|finally|only then|"
        r"last(?:ly)?)\b|"
        r"\b(?:in (?:two|three|four|five|\d) (?:steps|stages|phases)|step by step|these steps|"
        r"the steps)\b|->.{2,60}->|→.{2,60}→",
    ),
    cue(
        Act.HOW,
        r"\b(?:how (?:do|does|can|should|would|did|to)|what(?:'s| is) the (?:best|right|proper|"
        r"usual|safest|correct|easiest) (?:way|"
        r"approach|process|procedure)|what(?:'s| is) (?:the|our|your) (?:process|procedure|"
        r"workflow|routine|recipe|checklist|steps)|"
        r"is there a (?:way|trick|good way)|best way to|walk me through|remind me how|steps to|"
        r"procedure)\b",
    ),
    cue(
        Act.DEFINITION,
        r"\b(?:stands? for|refers? to|is short for|(?:is|are) called|we call|(?:is|"
        r"are) what we call|is defined as|"
        r"by \S+ (?:we|i) mean|means (?!that|a lot|so|the world|everything|you|we|i|it)|"
        r"is responsible for|(?:is|are) (?:kept|archived|stored|valid|limited|capped|rotated|"
        r"billed|shared|partitioned|deployed|hosted|versioned|encrypted|synced|released|scheduled|"
        r"located|reserved|deprecated|read-only|append-only|immutable)\b|"
        r"(?:changes?|runs?|starts?|closes?|opens?|expires?|resets?|renews?|ships?|rotates?|"
        r"refreshes) (?:every|on|at|in|each|after|with)\b|\b\w+s (?:every|each) (?:\w+ )?(?:day|"
        r"week|month|year|morning|evening|night|quarter|hour|monday|tuesday|wednesday|thursday|"
        r"friday|saturday|sunday)|^(?:an?|every|each) [\w\" -]{2,30}? is (?:an?|one|the)\b|"
        r"in our (?:domain|world|system|language|terms|codebase|company|team|setup)|"
        r"(?:is|are|it's) (?:owned|maintained|managed|handled|run) by|owns the|in charge of|"
        r"is in charge|lives? (?:in|at|on|under) (?:the |our |a )?\S*[/_.\d]|"
        r"is (?:our|the (?:name|table|service|module|component|file|tool|repo\w*|team|internal|"
        r"place|one|only|source))\b|"
        r"are our|is where|, not an? |is (?:kept|stored|defined|configured|written|located|"
        r"hosted) (?:in|at|on|under|by)|"
        r"consists? of|is made (?:up )?of|belongs? to|is (?:just )?an? (?:internal|thin|small|"
        r"nightly|daily|python|go|rust|"
        r"shared|separate|wrapper|kind|type|service|table|module|queue|cron|library|script|tool|"
        r"set|list|unit|\w+ (?:that|which|for|between|in)))\b",
        unless=r"\b(?:my mistake|the (?:problem|issue) is)\b",
    ),
    cue(
        Act.WHAT,
        r"\b(?:what(?:'s| is| are| does)|what do(?:es)? .{2,40} mean|who (?:is|owns|maintains|"
        r"runs)|where (?:is|are|do|does)|"
        r"which (?:\w+ )?(?:is|are|do|does|service|module|port|database)|explain|"
        r"how does .{2,60} work|tell me about|"
        r"difference between|what kind|meaning of)\b",
    ),
    cue(
        Act.VITAL,
        r"\b(?:allerg\w+|intoleran\w+|anaphyla\w+|epipen|celiac|coeliac|diabet\w+|asthma\w*|"
        r"epilep\w+|blood type|"
        r"my name(?: is|'s)|call me \w+|birthday|anniversary|passport|emergency contact|pregnan\w+|"
        r"(?:i'm|i am|she's|he's|is|been) (?:a |an )?(?:\w+ )?(?:vegan|vegetarian|pescatarian|"
        r"kosher|halal|colou?r[- ]?blind|left-handed|deaf))\b",
    ),
    cue(
        Act.PERSONAL,
        rf"\bmy name(?: is|'s)|\bcall me \w+|\bi(?:'m| am) (?:\w+ )?(?:allergic|intolerant|vegan|"
        rf"vegetarian|pescatarian|diabetic|"
        rf"colou?r[- ]?blind|left-handed|married|divorced|single|engaged|widowed|retired|pregnant|"
        rf"from|based|originally|living in|"
        rf"born|turning \d+|\d\d(?: years old)?(?=[.,;!]|$| and)|fluent)\b"
        rf"|\bi(?:'m| am) (?:currently )?an? (?!bit|little|lot|huge|big|fan|mess|fool|loss|few|"
        rf"couple|believer|beginner (?:in|at) this|sucker)"
        rf"(?:[\w-]+ ){{0,4}}?[\w-]+(?=[.,;!]| (?:at|in|for|from|and|by|who|with|on|working|"
        rf"based)\b|$)"
        rf"|\bi (?:{_ADVERBS} )?(?:work|worked|live|lived|teach|study|studied|graduated|majored|"
        rf"own|run|lead|manage|"
        rf"grew up|was born|immigrated|commute|freelance|volunteer|coach|mentor|speak|play (?:the|"
        rf"in)|belong)\b(?! (?:with this|on this|into|out\b|fine|it\b))"
        rf"|\b(?:i|we)(?:'ve| have)? (?:{_ADVERBS} )?(?:moved|relocated|adopted|got (?:married|"
        rf"engaged|divorced|promoted|hired|laid off|a (?:new )?(?:dog|puppy|cat|kitten|job|"
        rf"place|apartment|house|car|degree|offer))|had a baby|quit my|left my|lost my|"
        rf"bought (?:a|an|our|my)|started (?:a|an|my|at|working|as)|joined|retired|"
        rf"enrolled|signed up|switched jobs|hired|founded|opened (?:a|an|my|our))\b"
        rf"|\b(?:my|our) (?:\w+ ){{0,2}}?{_KIN}\b(?:,? [A-Z]?\w+,?)?(?:'s| is| are| was| has|"
        rf" have| had| lives?| works?| turn\w*| just| got| moved| loves?| likes?| hates?|"
        rf" and i| can't| doesn't| needs?| named| called| goes| starts?| graduated| died| passed|"
        rf" plays?| visits?| will| recently| teaches| studies| \w+, (?:is|has|was)| \w+ (?:is|has|"
        rf"was|turns|lives|works|loves|needs|starts|just|will|got))\b"
        rf"|\b(?:my|our) (?:\w+ )?{_TIES}(?: \w+){{0,3}}?(?: is| are|'s| was| will be|:| has|"
        rf" starts| ends| leaves| changed| moved)\b"
        rf"|\bi(?:'m| am) (?:\w+ )?(?:training|studying|preparing|saving(?: up)?|applying) for\b|"
        rf"\bi(?:'m| am|'ve been) learning\b|\bi go by\b|\bmy (?:doctor|dentist|physio\w*|"
        rf"therapist|nutritionist) (?:told|said|says|wants|put|recommended|prescribed)|"
        rf"\bdiagnosed with\b|\bi(?:'m| am) on (?:the |a )?[\w-]+ diet\b"
        rf"|\bi(?:'ve| have)(?: got)? (?:an? |two |three |four |five |\d+ |"
        rf"no )(?:\w+ ){{0,2}}?(?:{_KIN}s?|condition|allergy|injury|degree|phd|licen[sc]e|tattoo|"
        rf"scholarship|visa|car|bike|house|garden|boat|studio|startup|company|mortgage)\b"
        rf"|\bi (?:can't|cannot|don't|do not|no longer|never) (?:eat|drink|drive|fly|smoke|cook|"
        rf"own|have (?:a|any|kids|children))\b"
        rf"|\bi have (?:diabetes|asthma|celiac|adhd|migraines?|epilepsy|insomnia|arthritis|"
        rf"high blood|type [12])"
        rf"|\bi(?:'m| am) (?:flying|travel\w+|moving|starting (?:a|at|my|as)|getting married|"
        rf"graduating|running (?:a|the|for)|having (?:surgery|a baby)|"
        rf"away|on (?:leave|vacation|holiday)|out of office|visiting|taking (?:the|my)|defending|"
        rf"presenting)\b.{{0,60}}\b{_WHEN}"
        rf"|\b(?:he|she)(?:'s| is| has| was| just| also| recently)* (?:moved|works?|lives?|"
        rf"studies|teaches|got (?:a|the|married|promoted)|started|turned|turns|plays|loves|hates|"
        rf"likes|prefers|can't (?:eat|drink|walk|fly)|"
        rf"an? \w+|allergic|vegan|vegetarian|coeliac|celiac|diabetic|retired|pregnant|learning|"
        rf"training)\b"
        rf"|\b(?:meeting|stand-?up|appointment|class|lesson|deadline|release|launch|call|review|"
        rf"flight|sync|demo|workshop|party|wedding|surgery|check-?up)s? (?:is|are|was|were|moves?|"
        rf"moved|has|got|takes)\b.{{0,40}}\b(?:{_WHEN}|\d{{1,2}}:\d\d)"
        rf"|\b(?:we|they)(?:'ve| have) been (?:married|together|dating)|\bi(?:'ve| have) (?:been|"
        rf"had|known|worked|lived|played|practiced|owned)\b.{{2,60}}\b(?:for|since|"
        rf"all my life)\b",
        unless=r"\b(?:i'm a (?:bit|little)|work(?:ed)? (?:fine|great|well|perfectly)|i live for|"
        r"i run (?:it|this|the (?:test|command|script|app|code|server)|into|npm|make|python|"
        r"docker)|"
        r"my (?:project|code|app|script) is)\b",
    ),
    cue(
        Act.TASTE,
        rf"\bi (?:usually|always|never|mostly|normally|typically|generally|often) \w+|"
        rf"\bi (?:{_ADVERBS} )*(?:use (?!it\b|this\b|that\b|the\b|a\b|an\b|your\b)|prefer|hate|"
        rf"dislike|can't stand|avoid|enjoy|adore|despise|collect|drink|eat|wear|listen to|watch|"
        rf"read|cook|bake|ride|swim|run|hike|paint|practice|practise) (?!that\b|it\b|this\b|"
        rf"your\b|how\b|you\b|the test)"
        rf"|\bi (?:{_ADVERBS} )*(?:love|like) (?!that\b|it\b|this\b|your\b|how\b|you\b|what\b|"
        rf"the (?:idea|sound|look|way|first|second|plan|new)\b|those|these|to (?:know|see|think|"
        rf"hear)\b)"
        rf"|\bmy (?:all-time )?favou?rites?\b|\bi(?:'m| am) (?:really |so |very |super )?(?:into|"
        rf"keen on|a (?:big |huge |real )?fan of|fond of|obsessed with|passionate about|"
        rf"terrified of|scared of|afraid of)\b|\bi(?:'d| would) rather\b",
        unless=r"\b(?:would you|if you|do you|i'd love to (?:hear|know|see))\b",
    ),
    cue(
        Act.EVENT,
        rf"\b(?:i|we|my \w+|he|she|they)(?:'ve| have|'d| had| was| were)? (?:{_ADVERBS} )*{_PAST}\b"
        rf"|\b(?:i|we)(?:'m|'re| am| are)(?: {_ADVERBS})* (?:\w+ing|gonna|thinking of|hoping to|"
        rf"planning|excited to|looking forward|off to|about to|set to|on a)\b"
        rf"|\b(?:i|we)(?:'ve| have) been \w+ing\b|\b(?:i|we)(?:'ll| will| plan to| want to|"
        rf" hope to|'d love to| used to)\b|^(?:just|gonna|been|went|got|finally|started) \w+|"
        rf"\bwe have (?:a|an|our)\b",
    ),
    cue(
        Act.REACTION,
        r"\b(?:i(?:'m| am) (?:so |really |very |super |glad|happy|proud|sorry|sure|"
        r"here for)(?:glad|happy|proud|sorry|sure|excited|impressed)?(?: (?:for|to hear|that|"
        r"of) you\w*| to hear| about that)|"
        r"i (?:love|like) (?:that|it|this|your|how you)|i (?:agree|think|know|hope (?:you|it|"
        r"that)|see|bet|understand|appreciate|wonder|guess|feel you|hear you|get it|mean|"
        r"believe you)|"
        r"thanks?|thank you|congrat\w*|you(?:'re| are) (?:so|such|doing|right|an?|always|welcome|"
        r"amazing)|you've|you (?:should|must|can|could|deserve|got this)|good (?:luck|for you|"
        r"job)|"
        r"that(?:'s| is| sounds| must)|sounds|wow|awesome|amazing|take care|keep (?:it )?up|"
        r"have fun|can't wait to (?:hear|see)|let me know|talk (?:to you )?(?:soon|later)|"
        r"see you|bye)\b",
    ),
    cue(
        Act.PROJECT,
        rf"\bwe(?:'ve| have)? (?:{_ADVERBS} )*(?:use|deploy|run|host|ship|release|store|support|"
        rf"follow|bill|charge|pay|meet|operate|serve|rely|develop|sell|keep|have (?:a|an|two|"
        rf"three|four|five|\d+|no|about)|publish|pin|"
        rf"sync|back up|invoice|call|treat|write (?:all|our|every)|target|import|export|federate|"
        rf"require|rotate|log|test|train|monitor|maintain|are on|are (?:a|an) (?:team|company|"
        rf"\w+-person))\b"
        rf"|\bour (?:[\w./-]+ ){{1,5}}?(?:is|are|runs?|uses?|lives?|sits?|listens?|has|have|"
        rf"takes?|belongs?|sends?|expires?|requires?|needs?|supports?|allows?|only|stands?|comes?|"
        rf"goes?|starts?|ends?|means|covers|reads?|writes?|accepts?|returns?|limits?|closes?)\b"
        rf"|\b(?:the|this) (?:\w+ ){{0,2}}?(?:prod(?:uction)?|staging|dev|test|ci|build|main|"
        rf"primary|legacy|internal|customer|client|project|repo(?:sitory)?|codebase|app|api|"
        rf"service|db|database|server|cluster|team|company|data|"
        rf"standup|sprint|budget|deadline|contract|warehouse|endpoint|pipeline|backend|frontend|"
        rf"gateway)(?: \w+){{0,3}}? (?:is (?:a|an|on|in|at|called|named|written|hosted|only|"
        rf"behind|owned|due|the)|"
        rf"are|runs? (?:on|at|every|in)|uses|lives? (?:in|at|on)|listens|has|have|belongs|"
        rf"expires?|requires|supports|ends|starts|sits)\b",
        unless=r"\b(?:we (?:have|need) to|have (?:a|an) (?:problem|issue|question|bug|idea|look)|"
        r"should|would|could|can we|if we)\b",
    ),
    cue(
        Act.MAYBE_PROJECT,
        r"\b(?:is|are|has|runs|uses|lives|listens|stores|sends|reads|writes|returns|accepts|"
        r"expires|requires|needs|supports|"
        r"contains|holds|points to|starts|handles|only|costs|takes)\b",
    ),
    cue(
        Act.STANDING,
        r"(?<!i'll )\b(?:from now on|going forward|in (?:the )?future|(?:please |always |"
        r"only )+(?:reply|answer|respond|write|use|call|format|keep|address|speak|talk|explain|"
        r"give|show|send|put|include)|"
        r"(?:please )?(?:don't|do not|never|stop) (?:ever )?(?:use|using|reply|answer|call|"
        r"calling|send|add|adding|put|write|writing|give|giving|apologi[sz]|include|including|"
        r"sugarcoat|ask)|"
        r"i(?:'d| would)? prefer (?:you|your|that you|answers|replies|short|if you|when you|"
        r"metric|code|it when)|keep (?:your )?(?:answers|replies|responses|it|them) (?:short|"
        r"brief|concise)|"
        r"(?:reply|answer|respond|write|speak|talk)(?: to me)? (?:only )?in (?:english|chinese|"
        r"german|french|spanish|japanese|short|plain|bullet|metric)|"
        r"call me|address me|as a default|by default,? (?:use|reply|answer))\b",
    ),
    cue(
        Act.REMEMBER,
        r"\b(?:remember(?: that|:|,| this)|please remember|for (?:your|the) (?:info\w*|records?|"
        r"reference|future|context|notes?)|fyi|note(?: that|:|, )|keep in mind|"
        r"good to know|you should know|heads[- ]up|background:|context:|just so you know|"
        r"so you know|let me explain|by the way|btw|also,|one more thing|important:|"
        r"for context|to be clear|before i forget|for what it's worth|you (?:might|may) (?:want|"
        r"need) to know|as (?:background|context)|little context|some (?:background|context)|"
        r"bit of (?:background|context)|p\.?s\.?[: ]|quick (?:thing|note|intro|update|fyi)|"
        r"a bit about|make a note|save (?:this|that)|write (?:this|that) down|worth knowing|"
        r"worth noting|reminder:)",
    ),
    cue(
        Act.CREATIVE,
        r"\b(?:(?:write|compose|draft|create|make|tell|give|invent|come up with|generate|"
        r"continue)(?: \w+){0,6} (?:poems?|haikus?|limericks?|story|stories|tales?|lyrics|song|"
        r"sonnet|jokes?|"
        r"riddle|fiction|novel|screenplay|scene|dialogue|slogans?|taglines?|toast|speech|essay|"
        r"blog post|tweet|caption|fairy tale|monologue|cover letter|letter|mail|email|chapter|"
        r"villain|character)|"
        r"translat\w+|paraphrase|proofread|rephrase|polish (?:this|the)|role-?play|"
        r"pretend (?:you|to be|we)|(?:correct|check) (?:the|my) (?:grammar|spelling)|"
        r"summari[sz]e (?:this|the following)|bedtime story)\b",
    ),
    cue(
        Act.REWRITE,
        r"\b(?:(?:make|keep) (?:it|them|this)|shorter|longer|more (?:formal|cheerful|casual|"
        r"dramatic|serious|funny|polite)|another (?:one|version|verse|stanza)|rewrite|rhyme|"
        r"one more|again but|in (?:french|german|spanish|chinese|english|japanese|italian)|"
        r"less \w+|change the (?:ending|tone|title|name)|what happens next|continue|go on|"
        r"next (?:line|verse|chapter|scene))\b",
    ),
    cue(
        Act.IMAGINED,
        r"\b(?:imagine|suppose|hypothetical\w*|what if|let's (?:say|pretend|imagine)|if (?:we|i|"
        r"you) (?:were|had|could|ever)|in a parallel|thought experiment|for (?:fun|"
        r"the sake of))\b",
    ),
    cue(
        Act.NOTED,
        r"^(?:noted|thanks[,.!]|understood|got it|good to know|remembered|saved|recorded|"
        r"copy that|roger|thanks for (?:telling|letting|sharing|the|clar)|"
        r"thank you for (?:telling|letting|sharing|the|clar)|"
        r"ah,? (?:ok|i see)|that(?:'s| is) (?:good to know|helpful|useful|important)|okay[:,] )|"
        r"\bi(?:'ll| will) (?:remember|keep (?:that|it|this) in mind|treat|assume|avoid|"
        r"use (?:these|this|that|those|it|the)|stick to|make a note|note|bear|respect|"
        r"stay away)\b",
    ),
    cue(
        Act.TRANSIENT,
        r"\b(?:tired|sleepy|bored|hungry|weather|raining|sunny|haha\w*|lol|lmao|hehe|"
        r"just (?:saying|checking|curious|kidding|chatting|wondering)|"
        r"right now|at the moment|this morning|tonight|gotta (?:run|go)|brb|long day|nothing much|"
        r"not much|"
        r"let me|i'll (?:start|try|check|look|take|test|run|do|see|give|keep|let|be|get|go|send|"
        r"make sure|read|think|tell|ask|have|need|add|work|use|begin)|"
        r"i(?:'m| am) (?:going to|gonna) (?:start|try|check|look|test|run|do|see)|"
        r"i (?:just )?(?:ran|tried|checked|looked|pushed|merged|restarted|clicked|pasted|opened|"
        r"attached|tested))\b",
    ),
    cue(
        Act.SWITCH,
        r"^(?:by the way|btw|anyway|anyways|on another note|changing (?:the )?(?:subject|topic)|"
        r"different (?:topic|question|thing)|"
        r"unrelated|separate(?:ly)?|another (?:thing|question|topic)|next (?:topic|item|"
        r"question)|moving on|one more thing|new topic|completely different)\b",
    ),
)
