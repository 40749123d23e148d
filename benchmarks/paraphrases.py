"""Twenty-four things, each said twice in English and twice in Chinese, for similarity.py.

(question or short note, the same told otherwise) in English, then in Chinese. Within a column no
two have to do with each other. Invented by hand.
"""

from __future__ import annotations

QUADS: tuple[tuple[str, str, str, str], ...] = (
    (
        "Why did the website return 502 after the release?",
        "After deployment nginx kept an old upstream address in its cache, so every page answered "
        "bad gateway until we reloaded it.",
        "发布之后网站为什么报 502？",
        "上线后 nginx 缓存了旧的后端地址，重新加载配置之前所有页面都返回网关错误。",
    ),
    (
        "how long do we keep the logs",
        "We decided that log files are archived to object storage after thirty days and deleted "
        "after a year.",
        "日志要保留多久",
        "我们商定日志三十天后归档到对象存储，满一年再删除。",
    ),
    (
        "Which database did we pick for the project?",
        "The team settled on PostgreSQL, because nobody wanted to operate MySQL and MongoDB side "
        "by side.",
        "这个项目选了哪个数据库？",
        "大家最后定了用 PostgreSQL，谁也不想同时维护 MySQL 和 MongoDB。",
    ),
    (
        "What is the user's favourite food?",
        "He says that nothing beats his mother's dumplings with leek and egg.",
        "用户最喜欢吃什么？",
        "他说什么都比不上妈妈包的韭菜鸡蛋馅饺子。",
    ),
    (
        "when is the dentist appointment",
        "Remember to go to Dr. Lind to have the tooth filled on Thursday at half past two.",
        "牙医约的是什么时候",
        "周四下午两点半要去林医生那里补牙，别忘了。",
    ),
    (
        "How do I make the unit tests run faster?",
        "Run pytest with xdist on four workers; the suite then needs one minute instead of four.",
        "怎么让单元测试跑得快一点？",
        "pytest 加上 xdist 用四个进程并行，整套用例从四分钟降到一分钟。",
    ),
    (
        "out of memory while reading the big CSV",
        "Pandas loaded the whole table at once and the process was killed; reading it in chunks "
        "solved this.",
        "读大 CSV 的时候内存爆了",
        "pandas 一次性把整张表读进来导致进程被杀，改成分块读取就好了。",
    ),
    (
        "Where does she work now?",
        "In March Anna left the bank and started as a nurse at the children's hospital.",
        "她现在在哪里上班？",
        "安娜三月份从银行辞职，去儿童医院当了护士。",
    ),
    (
        "git push is rejected",
        "The remote branch had moved on; one has to pull with rebase before the commits can be "
        "sent.",
        "git push 被拒绝了",
        "远端分支已经有新的提交，要先 pull --rebase 才能推上去。",
    ),
    (
        "How is the cat doing after the operation?",
        "Our kitten eats again and the vet removes her stitches next week.",
        "猫做完手术怎么样了？",
        "小猫又开始吃东西了，兽医说下周拆线。",
    ),
    (
        "The certificate on the server expired",
        "HTTPS stopped working because the renewal job for Let's Encrypt had been failing "
        "silently for a month.",
        "服务器上的证书过期了",
        "Let's Encrypt 的续期任务悄悄失败了一个月，结果 HTTPS 打不开了。",
    ),
    (
        "what present should I buy for Dad's birthday",
        "My father turned sixty and wished for a good fishing rod.",
        "爸爸生日送什么礼物好",
        "父亲六十岁了，一直想要一根好一点的鱼竿。",
    ),
    (
        "Why is the SQL query slow?",
        "There was no index on the created_at column, so every request scanned the whole orders "
        "table.",
        "这条 SQL 为什么这么慢？",
        "created_at 字段没有建索引，每次请求都要全表扫描订单表。",
    ),
    (
        "How do we name the branches?",
        "Convention: feature branches begin with the ticket number, then a few words in lower "
        "case.",
        "分支怎么命名？",
        "约定：功能分支以工单号开头，后面跟几个小写单词。",
    ),
    (
        "my knee hurts when I run",
        "The physiotherapist advised swimming rather than jogging until the joint is no longer "
        "swollen.",
        "跑步的时候膝盖疼",
        "康复师建议关节消肿之前先游泳，不要慢跑。",
    ),
    (
        "How do I reset the admin password?",
        "An administrator who forgot the login can set a new one with the command `manage "
        "changepassword`.",
        "管理员密码怎么重置？",
        "忘记后台登录口令时，可以用 manage changepassword 命令重新设置一个。",
    ),
    (
        "The holiday plans for summer",
        "In July the family flies to Lisbon for two weeks and rents a flat near the sea.",
        "暑假的旅行计划",
        "七月全家飞去里斯本住两周，在海边租一套公寓。",
    ),
    (
        "Docker image is far too large",
        "With a multi-stage build and an alpine base the container shrank from two gigabytes to "
        "ninety megabytes.",
        "Docker 镜像太大了",
        "用多阶段构建加 alpine 基础镜像，容器从两个 G 缩到九十兆。",
    ),
    (
        "how does the coffee machine get cleaned",
        "Descale the espresso maker once a month with citric acid, then rinse it twice.",
        "咖啡机怎么清洗",
        "意式咖啡机每个月用柠檬酸除一次水垢，再用清水冲两遍。",
    ),
    (
        "Dates in the report are one day off",
        "Timestamps were stored in UTC but printed as local time, so everything after midnight "
        "fell on the wrong day.",
        "报表里的日期差了一天",
        "时间戳按 UTC 存储却当成本地时间显示，凌晨的数据全都算到了错误的日期。",
    ),
    (
        "What language is the child learning?",
        "Since autumn little Tom has had Spanish lessons with a teacher from Mexico.",
        "孩子在学什么语言？",
        "从秋天起小汤姆跟一位墨西哥老师上西班牙语课。",
    ),
    (
        "how many tokens may a prompt have",
        "Keep the context below eight thousand tokens, otherwise the model cuts off the beginning.",
        "提示词最多多少 token",
        "上下文要控制在八千 token 以内，不然模型会把开头截掉。",
    ),
    (
        "Who pays the rent for the office?",
        "The landlord gets his monthly money from the parent company, not from our budget.",
        "办公室的房租谁来付？",
        "每个月给房东的钱由总公司出，不占我们的预算。",
    ),
    (
        "the app crashes when the phone is rotated",
        "On a change of orientation Android destroys the activity, and our view kept a stale "
        "reference: null pointer.",
        "手机一旋转应用就闪退",
        "横竖屏切换时 Android 会销毁 Activity，我们的视图还拿着旧引用，于是空指针。",
    ),
)
