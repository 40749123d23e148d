"""Questions and sentences that have nothing to do with each other, to gauge an embedder with.

The questions are asked of whatever a store holds: since they are about everything, their median
cosine is that of an unrelated question. (A store's own texts are no substitute. What is said in
one conversation is alike in manner: on LoCoMo they give .811 where real questions give .747, and on
that scale nothing is similar any more; these give .755. See benchmarks/similarity.py --measure.)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

QUESTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "latin": (
            "Why is the build slower than last week?",
            "What did she give her sister for Christmas?",
            "how to reset a forgotten password",
            "When does the museum close on Sundays?",
            "Which library do we use for charts?",
            "What are the side effects of the new medicine?",
            "error when connecting to the printer",
            "Who is going to drive the children to school?",
            "How much did the roof repair cost?",
            "What did we decide about the pricing page?",
            "the best way to store fresh basil",
            "Where did they spend their honeymoon?",
            "Is the staging environment still on the old version?",
            "how many people came to the workshop",
            "What instrument does the neighbour play?",
            "Why was the flight to Oslo cancelled?",
            "rules for naming database columns",
            "What did the lawyer say about the contract?",
            "How often should the filter be replaced?",
            "Which team won the match on Saturday?",
            "What is her opinion on remote work?",
            "preferred font size for slides",
            "How does the retry logic handle a timeout?",
            "When did he stop smoking?",
        ),
        "han": (
            "为什么这周构建比上周慢？",
            "她圣诞节送了妹妹什么礼物？",
            "忘记密码怎么找回",
            "博物馆周日几点关门？",
            "我们画图表用的是哪个库？",
            "新换的药有什么副作用？",
            "连接打印机时报错",
            "谁负责送孩子上学？",
            "修屋顶花了多少钱？",
            "定价页面最后是怎么定的？",
            "新鲜罗勒怎么保存最好",
            "他们蜜月去了哪里？",
            "预发环境还是旧版本吗？",
            "工作坊来了多少人",
            "邻居会演奏什么乐器？",
            "去奥斯陆的航班为什么取消了？",
            "数据库字段命名的规矩",
            "律师对合同怎么说？",
            "滤芯多久换一次？",
            "周六的比赛哪个队赢了？",
            "她对远程办公怎么看？",
            "幻灯片喜欢用多大的字号",
            "重试逻辑怎么处理超时？",
            "他什么时候戒的烟？",
        ),
    }
)

PASSAGES = (
    "The proxy kept sending requests to a server that had been shut down.",
    "Grandmother lets the dough rest over night before she bakes the bread.",
    "The committee raised the interest rate by a quarter of a point.",
    "Ferns want shade and a cup of water every second morning.",
    "He sprained his ankle while running down the stairs of the stadium.",
    "The index of the orders table was rebuilt on Sunday.",
    "We booked two seats on the night train to Vienna.",
    "Her violin teacher insists on scales before any piece is played.",
    "The warranty of the washing machine ends in March.",
    "Please rename the function so that it says what it returns.",
    "Whales sleep with one half of the brain at a time.",
    "The landlord wants the signed contract back by Friday.",
    "数据库的连接池被慢查询占满了。",
    "外婆包的粽子里放了咸蛋黄。",
    "这条地铁线明年才会通车。",
    "医生建议他每天至少走八千步。",
    "合同需要在周五之前寄回给房东。",
    "编译器报错说找不到那个头文件。",
    "孩子们在操场上放风筝。",
    "央行宣布下调存款准备金率。",
    "她学小提琴的时候总是先练音阶。",
    "这盆蕨类植物放在阴凉处长得更好。",
    "航班因为大雾推迟了三个小时。",
    "会议纪要请发到项目群里。",
)
