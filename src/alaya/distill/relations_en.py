"""What people say of themselves and theirs in English, as a table that `clauses_en` reads.

    forms of the verb | what follows | kind | now | going on | past | to come

The forms are the infinitive, the third person, the past, the participles. Each of the last four
columns is the relation that this tense tells, `-` where it tells none, `=` for the column before;
`+` behind it: a time in the sentence is when it began. What follows has one object:

    {P} a name   {N} things in small letters or a name   {A} the same behind a, an or a number
    {G} doing something   {T} a title   {J} what somebody is by trade   {V} a product   {D} a day
"""

from __future__ import annotations

TABLE = r"""
live lives lived living | (?:up |out |over |back |here |right )?in {P} | place | lives in | = | lived in | plans to live in
reside resides resided residing | in {P} | place | lives in | = | lived in | -
be | (?:based|located|living) (?:in|out of) {P} | place | lives in | = | - | -
move moves moved moving | (?:back )?(?:here |out |over )?to {P} | place | - | plans to move to | moved to+ | plans to move to
relocate relocates relocated relocating | to {P} | place | - | plans to move to | moved to+ | plans to move to
be | from {P} | place | comes from | = | - | -
come comes came coming | from {P} | place | comes from | - | = | -
be | born (?:and raised )?in {P} | place | born in | = | = | -
grow grows grew growing grown | up in {P} | place | - | - | grew up in | -
work works worked working | (?:part[- ]time |full[- ]time |remotely )?(?:at|for) {P}(?: as)? | organization | works at+ | works at | worked at | plans to work at
work works worked working | (?:at {P0}|for {P0})? ?(?:part[- ]time )?as (?:an? |the )?{J} | activity | works as | = | worked as | -
work works worked working | in {F} | activity | works in | = | - | -
get gets got getting gotten | (?:a|the|my) (?:new )?(?:job|position|internship) (?:at|with) {P} | organization | - | - | works at+ | -
start starts started starting | (?:working |a (?:new )?job |my (?:new )?job )?at {P} | organization | - | plans to work at | works at+ | plans to work at
be | (?:employed (?:at|by)|with the team at) {P} | organization | works at | = | - | -
leave leaves left leaving | my job at {P} | organization | - | - | worked at | -
be | (?:an? |the )?{J} | activity | works as | = | - | -
become becomes became becoming | (?:an? |the )?{J} | activity | - | - | works as+ | plans to become
want wants wanted wanting | to (?:become|be) an? {J} | activity | plans to become | - | - | -
study studies studied studying | (?:at|in) {P} | organization | studies at | = | studied at | plans to study at
study studies studied studying | {F} | activity | studies | = | studied | plans to study
major majors majored majoring | in {F} | activity | studies | = | studied | -
graduate graduates graduated graduating | (?:from|at) {P} | organization | - | - | graduated from+ | -
learn learns learned learning learnt | (?:how )?(?:to (?:play|speak|make) )?(?:the )?{F} | activity | learns | = | - | plans to learn
marry marries married marrying | {P} | person | - | plans to marry | married to+ | plans to marry
be | (?:happily )?(?:married|wedded) to {P} | person | married to | = | - | -
get gets got getting gotten | married to {P} | person | - | plans to marry | married to+ | plans to marry
be | engaged to {P} | person | engaged to | = | - | -
get gets got getting gotten | engaged to {P} | person | - | - | engaged to+ | -
date dates dated dating | {P} | person | - | dating | - | -
be | (?:best |good |close |old )?friends with {P} | person | friend of | = | - | -
be | dating {P} | person | dating | = | - | -
adopt adopts adopted adopting | {PET}(?:,? (?:named|called),? (?P<name>{P0}))? | thing | - | plans to adopt | has pet+ | plans to adopt
get gets got getting gotten | {PET}(?:,? (?:named|called),? (?P<name>{P0}))? | thing | - | plans to get | has pet+ | plans to get
have has had having got | {PET}(?:,? (?:named|called),? (?P<name>{P0}))? | thing | has pet | = | - | -
own owns owned owning | {PET}(?:,? (?:named|called),? (?P<name>{P0}))? | thing | has pet | = | - | -
have has had having got | {MANY} | thing | has | = | - | -
own owns owned owning | {A} | thing | owns | = | owned | -
drive drives drove driving driven | (?:an? |my )?{P} | thing | drives | = | - | -
buy buys bought buying | {A} | thing | - | plans to buy | bought+ | plans to buy
purchase purchases purchased purchasing | {A} | thing | - | plans to buy | bought+ | plans to buy
order orders ordered ordering | {A} | thing | - | - | bought+ | -
like likes liked liking | {G} | activity | likes | = | - | -
love loves loved loving | {G} | activity | likes | = | - | -
enjoy enjoys enjoyed enjoying | {G} | activity | likes | = | - | -
adore adores adored adoring | {G} | activity | likes | = | - | -
like likes liked liking | {L} | thing | likes | = | - | -
love loves loved loving | {L} | thing | likes | = | - | -
enjoy enjoys enjoyed enjoying | {L} | thing | likes | = | - | -
adore adores adored adoring | {L} | thing | likes | = | - | -
like likes liked liking | to (?P<object>(?:go |play |cook |bake |read |paint |draw |hike |swim |write |dance |ski |knit |travel )[a-z]*) | activity | likes | - | - | -
be | (?:(?:such )?an? )?(?:really |very |super |totally |total )?(?:big |huge |massive |great )?(?:fan of|fond of|keen on|crazy about|obsessed with|passionate about|(?:really |totally )?into) (?:the )?{L} | thing | likes | = | - | -
prefer prefers preferred preferring | (?:to (?:use|drink|eat|have) )?{L} | thing | prefers | - | - | -
hate hates hated hating | {L} | thing | dislikes | - | - | -
hate hates hated hating | {G} | activity | dislikes | - | - | -
dislike dislikes disliked disliking | {L} | thing | dislikes | = | - | -
can't | stand {L} | thing | dislikes | - | - | -
don't | (?:really )?like {L} | thing | dislikes | - | - | -
don't | (?:eat|drink) {L} | thing | avoids | - | - | -
be | (?:\w+ly )?allergic to {L} | thing | allergic to | = | - | -
have has had having | an? (?:\w+ )?(?P<object>[a-z]+) allergy | thing | allergic to | = | - | -
be | (?:an? )?(?P<object>vegan|vegetarian|pescatarian|lactose[- ]intolerant|gluten[- ]intolerant|celiac|diabetic|asthmatic|colou?r[- ]?blind|left[- ]handed) | thing | is | = | - | -
have has had having | (?P<object>(?:asthma|diabetes|arthritis|epilepsy|adhd|celiac disease|migraines|hypertension|insomnia)) | thing | has | = | - | -
be | born on {D} | event | birthday | = | = | -
be | (?P<object>\d{1,2}) years old | thing | age | = | - | -
play plays played playing | (?:the |my |in an? )?{F} | activity | plays | - | played | -
practice practices practiced practicing | {F} | activity | practices | = | - | -
speak speaks spoke speaking spoken | (?:fluent |some |a little )?(?P<object>English|Chinese|Mandarin|Cantonese|Japanese|Korean|French|Spanish|German|Italian|Portuguese|Russian|Arabic|Hindi|Swedish|Dutch|Polish|Turkish) | thing | speaks | = | - | -
visit visits visited visiting | (?:the )?{P} | place | - | plans to visit | visited+ | plans to visit
visit visits visited visiting | {A} | place | - | - | visited+ | plans to visit
go goes went going gone | (?:back |over |up |down |out )?to (?:the )?{P} | place | - | plans to visit | visited+ | plans to visit
go goes went going gone | (?:back |over |up |down |out )?to {A} | event | - | plans to go to | went to+ | plans to go to
be been | to (?:the )?{P} | place | - | - | visited+ | -
travel travels traveled traveling travelled travelling | (?:all the way )?to {P} | place | - | plans to visit | visited+ | plans to visit
fly flies flew flying flown | (?:out |over )?to {P} | place | - | plans to visit | visited+ | plans to visit
drive drives drove driving driven | (?:out |over |up |down )?to {P} | place | - | plans to visit | visited+ | plans to visit
head heads headed heading | (?:off |out |over )?to {P} | place | - | plans to visit | - | plans to visit
attend attends attended attending | {A} | event | - | plans to go to | went to+ | plans to go to
attend attends attended attending | {P} | event | - | - | went to+ | plans to go to
go goes went going gone | (?P<object>hiking|camping|skiing|snowboarding|surfing|kayaking|swimming|fishing|biking|climbing|sailing|bowling|dancing|running|horseback riding|rock climbing|mountaineering|scuba diving) | activity | - | plans to go | went+ | plans to go
host hosts hosted hosting | {A} | event | - | plans to host | hosted+ | plans to host
join joins joined joining | (?:the )?{P} | organization | - | - | joined+ | plans to join
join joins joined joining | {A} | organization | - | - | joined+ | plans to join
sign signs signed signing | up for {A} | activity | - | - | signed up for+ | plans to sign up for
enroll enrolls enrolled enrolling | in {A} | activity | - | - | signed up for+ | plans to sign up for
take takes took taking taken | (?:up )(?P<object>[a-z]+(?:ing)?) | activity | - | - | practices+ | plans to take up
take takes took taking taken | (?:an? |some )?(?P<object>(?:[a-z-]+ ){1,2}(?:class|classes|course|courses|lessons)) | activity | takes | = | took+ | plans to take
start starts started starting | (?:an?|my(?: own)?) {B} | thing | - | - | started+ | plans to start
open opens opened opening | (?:an?|my(?: own)?|our(?: own)?) {B} | thing | - | plans to open | opened+ | plans to open
launch launches launched launching | (?:an?|my(?: own)?|our(?: own)?) {B} | thing | - | plans to launch | launched+ | plans to launch
run runs ran running | (?:an?|my(?: own)?) {B} | thing | runs | = | - | -
start starts started starting | {G} | activity | - | - | started+ | -
volunteer volunteers volunteered volunteering | (?:here |again )?(?:at|for|with) (?:an? |the |my |our )?(?:local )?{N} | organization | volunteers at | = | volunteered at+ | plans to volunteer at
start starts started starting | volunteering (?:at|for|with) (?:an? |the |my |our )?(?:local )?{N} | organization | - | - | volunteers at+ | -
make makes made making | {A} | thing | - | - | made+ | -
bake bakes baked baking | {A} | thing | - | - | made+ | -
cook cooks cooked cooking | {A} | thing | - | - | made+ | -
paint paints painted painting | {A} | thing | - | - | painted+ | -
write writes wrote writing written | {A} | thing | - | writes | wrote+ | plans to write
finish finishes finished finishing | (?:writing )?(?:{A}|my (?P<name>[a-z-]*(?: ?(?:screenplay|script|book|novel|thesis|degree|story|poem|master's|phd|album)))) | thing | - | - | finished+ | -
create creates created creating | {A} | thing | - | - | made+ | plans to make
build builds built building | {A} | thing | - | builds | built+ | plans to build
design designs designed designing | {A} | thing | - | designs | designed+ | plans to design
work works worked working | on (?:an?|my|our) (?:own |new )?{N} | thing | - | works on | - | -
run runs ran running | {A} | event | - | - | ran+ | plans to run
see sees saw seeing seen | {P} (?:live|in concert|perform) | person | - | - | saw live+ | -
perform performs performed performing | (?:at|in) {A} | event | - | - | performed at+ | plans to perform at
compete competes competed competing | in {A} | event | - | - | competed in+ | plans to compete in
organize organizes organized organizing | {A} | event | - | organizes | organized+ | plans to organize
train trains trained training | for {A} | event | - | trains for | - | -
apply applies applied applying | (?:to|for) {A} | thing | - | applies for | applied for+ | plans to apply for
research researches researched researching | {F} | thing | - | researches | - | -
teach teaches taught teaching | {F} | activity | teaches | = | - | plans to teach
coach coaches coached coaching | {A} | thing | coaches | = | - | -
give gives gave giving given | a (?P<object>(?:[a-z]+ )?(?:talk|speech|presentation|lecture)){.} | event | - | - | gave+ | plans to give
have has had having | {HAD} | event | - | - | had+ | plans to have
take takes took taking taken | (?:an? |my |our )?(?:\w+ ){0,2}(?:trip|vacation|holiday|flight)(?: (?:last|this) \w+)? to {P} | place | - | plans to visit | visited+ | plans to visit
go goes went going gone | on (?:an? |my |our )(?:\w+ ){0,2}(?:trip|vacation|holiday|tour|honeymoon)(?: (?:last|this) \w+)? (?:to|in|around|through) {P} | place | - | plans to visit | visited+ | plans to visit
lose loses lost losing | my (?P<object>job) | thing | - | - | lost+ | -
quit quits quit quitting | my (?P<object>job) | thing | - | plans to quit | quit+ | plans to quit
meet meets met meeting | {P} | person | - | - | met+ | plans to meet
sign signs signed signing | (?:a deal )?with {P} | organization | - | - | signed with+ | -
team teams teamed teaming | up with {A} | organization | - | works with | works with+ | -
do does did doing done | (?:some )?(?P<object>(?:[a-z]+ )?(?:yoga|pilates|karate|ballet|crossfit|meditation|gymnastics|judo|taekwondo|pottery|volunteer work|charity work)){.} | activity | practices | = | - | -
read reads read reading | {T} | thing | - | reads | read | plans to read
finish finishes finished finishing | (?:reading )?{T} | thing | - | - | read | -
watch watches watched watching | {T} | thing | - | watches | watched | plans to watch
collect collects collected collecting | {L} | thing | collects | = | - | -
win wins won winning | (?:an?|the|my(?: first| second| third)?) (?:(?:really|very|super|pretty) )?(?P<object>(?:[\w-]+ ){0,4}?(?:tournament|award|competition|contest|prize|championship|medal|trophy|game|match)){.} | event | - | - | won+ | -
plan plans planned planning | (?:to visit|on visiting|on going to|to go to|a trip to) (?:the )?{P} | place | plans to visit | = | - | -
use uses used using | {V} | tool | uses | = | - | plans to use
be | (?:still )?(?:on|running|using) {V} | tool | uses | = | - | -
run runs ran running | on {V} | tool | runs on | = | - | -
switch switches switched switching | (?:over )?(?:from [\w.+# -]+? )?to {V} | tool | - | plans to use | uses+ | plans to use
migrate migrates migrated migrating | (?:from [\w.+# -]+? )?to {V} | tool | - | plans to use | uses+ | plans to use
upgrade upgrades upgraded upgrading | (?:from [\w.+# -]+? )?to {V} | tool | - | plans to use | uses+ | plans to use
deploy deploys deployed deploying | (?:it |everything )?(?:on|to) {V} | tool | deploys to | = | deploys to+ | plans to deploy to
"""

# Of things that one works on: our gateway …, the API server …
THINGS = r"""
runs run running | on port {#} | runs on port
runs run running | on {V} | runs on
listens listening | on(?: port)? {#} | listens on
listens listening | on {V} | listens on
is | (?:running |listening )?on port {#} | runs on port
is | (?:deployed|hosted|running) (?:on|to|in|at) {V} | deployed on
is | (?:written|implemented|built) (?:in|with|on) {V} | written in
is | (?:on )?version {#} | version
uses | (?:version )?{V} | uses
requires needs | {V} | requires
depends | on {V} | depends on
connects | to {V} | connects to
"""

# What one has had once it is over.
HAD = """interview audition wedding surgery operation picnic barbecue baby meeting competition
    performance exhibition recital checkup check-up appointment miscarriage accident concert gig
    party""".split()  # noqa: SIM905
CLOSE = """husband wife daughter son sister brother girlfriend boyfriend partner fiance fiancee
    kids children""".split()  # noqa: SIM905
KIN = {
    **{word: "married to" for word in ("husband", "wife", "spouse")},
    **dict.fromkeys(("kids", "children"), "has children"),
    **{word: f"has {word}" for word in """sister brother mother father son daughter cousin aunt
    uncle niece nephew boss manager friend colleague coworker roommate neighbor grandmother
    grandfather girlfriend boyfriend partner fiance fiancee teacher coach mentor sister-in-law
    brother-in-law mother-in-law father-in-law stepson stepdaughter therapist
    twin""".split()},  # noqa: SIM905
}
SPELLED = {
    **dict.fromkeys(("mom", "mum", "mama", "mommy"), "mother"),
    **dict.fromkeys(("dad", "papa", "daddy"), "father"),
    **dict.fromkeys(("grandma", "granny", "nana"), "grandmother"),
    **dict.fromkeys(("grandpa", "granddad"), "grandfather"),
    **{"neighbour": "neighbor", "co-worker": "coworker", "fiancé": "fiance", "fiancée": "fiancee"},
    **{"workmate": "coworker", "teammate": "coworker", "buddy": "friend", "pal": "friend"},
    **{"roomie": "roommate", "bestie": "friend", "bro": "brother", "sis": "sister"},
    **{"girl": "daughter", "boy": "son", "hubby": "husband"},
}
PETS = """dog dogs cat cats puppy puppies kitten kittens kitty pup pups parrot rabbit rabbits bunny
    hamster hamsters turtle turtles horse pony goldfish tortoise lizard snake guinea-pig
    ferret""".split()  # noqa: SIM905
TRADES = """teacher nurse doctor engineer developer programmer designer lawyer accountant manager
    architect analyst scientist researcher professor lecturer student chef cook baker barista
    waiter waitress bartender writer author journalist editor photographer artist musician singer
    dancer actor actress director producer painter sculptor potter illustrator animator banker
    broker trader consultant recruiter salesperson cashier clerk secretary receptionist electrician
    plumber carpenter mechanic welder driver pilot soldier officer firefighter paramedic policeman
    policewoman dentist surgeon pharmacist therapist psychologist psychiatrist counselor counsellor
    veterinarian vet biologist chemist physicist mathematician economist historian librarian
    translator interpreter coach trainer instructor farmer gardener florist tailor entrepreneur
    freelancer ceo cto cfo coo founder intern technician administrator sysadmin technologist
    statistician geologist astronomer nutritionist midwife caregiver nanny tutor principal
    bookkeeper paralegal attorney judge marketer copywriter streamer blogger youtuber barber
    hairdresser stylist guard cofounder co-founder postdoc undergraduate freshman sophomore
    retiree""".split()  # noqa: SIM905
# What one starts, opens and runs.
VENTURES = """store shop studio business company startup podcast blog channel restaurant cafe bakery
    gallery agency club foundation nonprofit charity newsletter website brand practice petition
    campaign project bookstore boutique gym farm bookshop family class band""".split()  # noqa: SIM905
# Words that name something one works on.
WORKS = """gateway server api app application service backend frontend database db cluster website
    site pipeline bot project repo repository dashboard worker queue cache build library package
    module script proxy broker scheduler crawler container image job cli sdk plugin extension
    monolith microservice platform stack system host node instance endpoint registry
    bucket""".split()  # noqa: SIM905
# Tools that people write in small letters.
TOOLS = """vim neovim emacs git tmux nginx apache docker podman kubernetes npm pnpm yarn bun deno node
    pip poetry conda uv pytest ruff mypy redis postgres postgresql mysql mariadb sqlite mongodb
    kafka rabbitmq celery flask django fastapi express react vue svelte angular typescript
    javascript python rust golang java kotlin swift ruby rails laravel php terraform ansible
    jenkins linux ubuntu debian arch fedora macos windows zsh bash fish aws gcp azure vercel
    netlify heroku cloudflare figma notion obsidian excel slack webpack vite esbuild
    elasticsearch""".split()  # noqa: SIM905
# Relations of somebody's own things: `my birthday is 3 May`, `Anna's favourite colour is green`.
OWN = r"""
hobb(?:y|ies)(?: are| include)? | {HOBBY} | likes | activity
birthday | {D} | birthday | event
(?:job|occupation|profession) | (?:an? )?{J} | works as | activity
(?:hometown|home town|home country|homeland),? | (?:in )?{P} | comes from | place
(?:native language|mother tongue) | {P} | speaks | thing
(?:phone|mobile|cell)(?: phone)?(?: number)? | (?P<object>\+?\d[\d ()-]{5,}\d) | phone number | thing
e-?mail(?: address)? | (?P<object>[\w.+-]+@[\w-]+(?:\.\w+)+) | email | thing
age | (?P<object>\d{1,3}) | age | thing
"""
