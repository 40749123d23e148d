"""Sentences that have nothing to do with each other, to gauge an embedder nobody has measured."""

from __future__ import annotations

PROBES = (
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
