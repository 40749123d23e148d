"""Relations of which somebody or something has one at a time: a later one ends the one before.

All other relations stand side by side: somebody has several pets, hobbies and friends.
"""

from __future__ import annotations

from alaya.model.relations import relation_name

# What is one relation under several names, in both languages.
_TABLE = {
    "home": """lives in; live in; lived in; living in; lives at; resides in; based in; moved to;
        relocated to; has moved to; home is; home; 住在; 居住在; 居住于; 现居; 现居住于; 搬到; 搬去;
        搬到了; 搬家到; 定居; 定居在; 定居于; 家在""",
    "employer": """works at; work at; worked at; working at; works for; work for; worked for;
        employed by; employed at; employer; has a job at; 就职于; 任职于; 供职于; 工作于; 在职于;
        受雇于; 工作单位; 上班于; 雇主; 公司是""",
    "occupation": """works as; worked as; job; job title; occupation; profession; position; title;
        role; has the title; 职业; 职位; 职务; 头衔; 担任; 岗位; 工作是""",
    "spouse": """married to; was married to; is married to; spouse; wife; husband; wife is;
        husband is; 已婚于; 结婚; 嫁给; 娶了; 配偶; 妻子; 丈夫; 老婆; 老公; 爱人""",
    "partner": """dating; in a relationship with; partner; girlfriend; boyfriend; engaged to;
        fiance; fiancee; 交往; 恋爱; 对象; 女朋友; 男朋友; 女友; 男友; 订婚""",
    "marital status": "marital status; relationship status; 婚姻状况; 感情状况",
    "age": "age; is aged; aged; 年龄; 岁数",
    "birthday": "born on; birthday; date of birth; birth date; 生日; 出生日期; 生于",
    "birthplace": "born in; birthplace; place of birth; 出生地; 出生在; 出生于",
    "gender": "gender; sex; 性别",
    "father": "father; has father; father is; 父亲; 爸爸",
    "mother": "mother; has mother; mother is; 母亲; 妈妈",
    "name": """name; is named; named; full name; is called; renamed to; 名字; 姓名; 名叫; 改名为;
        更名为""",
    "school": """studies at; studied at; attends; attended; goes to school at; 就读于; 在读于;
        上学于""",
    "major": "majors in; studies; 专业; 主修",
    "citizenship": "nationality; citizenship; 国籍",
    "manager": "reports to; manager; managed by; boss; 上司; 上级; 汇报给; 领导是",
    "owner": "owned by; owner; belongs to; maintained by; 属于; 归属; 负责人; 所有者",
    "place": "located in; located at; 位于; 坐落于",
    "address": "address; 地址; 住址",
    "telephone": "phone; phone number; telephone; mobile; 电话; 手机号; 电话号码",
    "email": "email; email address; e-mail; 邮箱; 电子邮件",
    "salary": "salary; earns; 工资; 薪水; 月薪; 年薪",
    "price": "price; costs; 价格; 售价",
    "weight": "weight; weighs; 体重",
    "height": "height; 身高",
    "status": "status; state; 状态",
    "version": "version; runs version; uses version; 版本; 当前版本",
    "port": "port; listens on; runs on port; 端口; 监听端口",
    "deployment": "deployed on; deployed to; hosted on; hosted at; 部署在; 部署于; 托管于",
    "deadline": "deadline; due on; due; 截止日期; 截止时间; 期限",
}
_GROUPS = {
    relation_name(name): group for group, names in _TABLE.items() for name in names.split(";")
}
_FAVOURITE = ("FAVORITE_", "FAVOURITE_", "最喜欢的")
# Of these there is one for life: who has another one is somebody else.
FOR_LIFE = frozenset({"birthday", "birthplace", "father", "mother"})
_OVER = frozenset(
    relation_name(name)
    for name in (
        *("lived in", "worked at", "worked for", "worked as", "was married to", "studied at"),
        *("attended", "used to live in", "used to work at", "used to be married to"),
        *("曾住在", "曾居住在", "曾就职于", "曾任职于", "曾就读于", "曾担任"),
    )
)
_GROUPS |= {
    relation_name(over): _GROUPS[relation_name(now)]
    for over, now in (
        ("used to live in", "lives in"),
        ("used to work at", "works at"),
        ("used to be married to", "married to"),
        *((f"曾{now}", now) for now in ("住在", "居住在", "就职于", "任职于", "就读于", "担任")),
    )
}


def single(relation: str) -> str:
    """What a relation (as `relation_name` writes it) says the one of; empty: there can be many."""
    if relation.startswith(_FAVOURITE):
        return relation.casefold()
    return _GROUPS.get(relation, "")


def is_over(relation: str) -> bool:
    """Whether its name says that it was so once: `LIVED_IN`, 曾住在."""
    return relation in _OVER
