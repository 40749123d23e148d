import sys,re,json,datetime,random,zlib
def flush(s):
    if not s: return
    turns=[];tags={};t=s['t0'];rng=random.Random(zlib.crc32(s['name'].encode()));n=0;last=None
    for it in s['items']:
        if it[0]=='GAP':
            t+=int(float(it[1])*60000);continue
        role,tag,lines=it
        call=None;body=[]
        for l in lines:
            m=re.match(r'^\$(\w*) (.*)$',l)
            if role=='A' and m: call=(m.group(1) or 'exec',m.group(2))
            else: body.append(l)
        d={'role':{'U':'user','A':'assistant','T':'tool'}[role],'content':'\n'.join(body).strip('\n'),'timestamp':t}
        if call:
            n+=1;last='c%d'%n
            key={'exec':'command','read':'path','web_search':'query','edit':'path'}[call[0]]
            d['tool_calls']=[{'id':last,'name':call[0],'arguments':{key:call[1]}}]
        if role=='T': d['tool_call_id']=last
        t+=rng.randint(4000,95000) if role!='T' else rng.randint(1500,6000)
        if tag: tags[tag]=len(turns)
        turns.append(d)
    exp=[]
    for k,ts,ab in s['exp']:
        idx=sorted(tags[x] for x in ts)
        assert k in('concept','pattern','gotcha','decision'),k
        assert 1<=len(idx)<=4,(s['name'],ts)
        txt=' '.join(turns[i]['content'] for i in idx).lower()
        for a in ab: assert a.lower() in txt,(s['name'],a)
        exp.append({'kind':k,'turns':idx,'about':ab})
    used={x for _,ts,_ in s['exp'] for x in ts}
    assert set(tags)==used,(s['name'],set(tags)^used)
    if exp and not 8<=len(turns)<=24: print('LEN',s['num'],len(turns))
    o={'name':s['name'],'language':s['lang'],'session':{'id':'dc-%s-%08x'%(s['num'],zlib.crc32(s['name'].encode())),'timestamp':turns[0]['timestamp'],'channel':s['ch'],'agent':'main','turns':turns},'expected':exp}
    json.dump(o,open('%s-%s.json'%(s['num'],s['name']),'w'),ensure_ascii=False,indent=1)
    from collections import Counter
    print(s['num'],len(turns),dict(Counter(e['kind'] for e in exp)))
cur=None
for l in sys.stdin.read().split('\n'):
    m=re.match(r'^## (\d\d) (\S+) (\S+) (\S+) (\S+)$',l)
    if m:
        flush(cur)
        cur={'num':m[1],'name':m[2],'lang':m[3],'ch':m[4],'t0':int(datetime.datetime.fromisoformat(m[5]+'+00:00').timestamp()*1000),'items':[],'exp':[]};continue
    m=re.match(r'^([UAT])(?:#(\w+))?:(?: (.*))?$',l)
    if m: cur['items'].append((m[1],m[2],[m[3] or '']));continue
    m=re.match(r'^GAP (\S+)$',l)
    if m: cur['items'].append(('GAP',m[1]));continue
    m=re.match(r'^E (\w+) (\S+) \| (.*)$',l)
    if m: cur['exp'].append((m[1],m[2].split(','),[x.strip() for x in m[3].split(',')]));continue
    if cur and cur['items'] and not (l=='' and cur['exp']): cur['items'][-1][2].append(l)
flush(cur)
