import sys,re,json,datetime,random
K={'exec':'command','read':'path','write':'path','web_search':'query','web_fetch':'url','calendar':'query','memory_search':'query'}
def dump(s):
    if not s: return
    n,l,ch,start=s['h']; num=n[:2]; rnd=random.Random(n)
    t=int(datetime.datetime.strptime(start,'%Y-%m-%d %H:%M').replace(tzinfo=datetime.timezone.utc).timestamp()*1000)
    t0=t; turns=[]; marks={}; cid=0; pend=[]
    for i,(role,mk,lines,gap) in enumerate(s['t']):
        if i: t+=gap*60000 if gap else rnd.randint(900,9000) if role!='user' else rnd.randint(15000,240000)
        d={'role':{'U':'user','A':'assistant','T':'tool'}[role]}; calls=[]; body=[]
        for x in lines:
            m=re.match(r'^!(\w*)> ?(.*)$',x)
            if m:
                cid+=1; nm=m[1] or 'exec'
                calls.append({'id':f'c{cid}','name':nm,'arguments':{K.get(nm,'input'):m[2].replace('\\n','\n')}})
            else: body.append(x)
        d['content']='\n'.join(body).strip(); d['timestamp']=t
        if calls: d['tool_calls']=calls; pend+= [c['id'] for c in calls]
        if role=='T' and not pend: turns[-1]['content']+='\n'+d['content']; continue
        if role=='T': d['tool_call_id']=pend.pop(0)
        turns.append(d)
        for k in mk: marks.setdefault(k,[]).append(i)
    assert not pend,(n,pend)
    exp=[]
    for k,kind,ab in s['e']:
        exp.append({'kind':kind,'turns':marks.pop(k),'about':ab})
    assert not marks,(n,marks)
    json.dump({'name':n[3:],'language':l,'session':{'id':f'devb-{n}','timestamp':t0,'channel':ch,'agent':'main','turns':turns},'expected':exp},open(n+'.json','w'),ensure_ascii=False,indent=1)
    print(n,len(turns),len(exp))
cur=None;gap=0
for line in sys.stdin.read().split('\n'):
    if line.startswith('### '):
        dump(cur); cur={'h':line[4:].split('|'),'t':[],'e':[]}; continue
    m=re.match(r'^([UAT])(?:\[([\w,]+)\])?> ?(.*)$',line)
    if m:
        cur['t'].append((m[1],m[2].split(',') if m[2] else [],[m[3]],gap)); gap=0; continue
    m=re.match(r'^~~ (\d+)$',line)
    if m: gap=int(m[1]); continue
    m=re.match(r'^=> (\w+) (\w+): (.*)$',line)
    if m: cur['e'].append((m[1],m[2],[z.strip() for z in m[3].split(';')])); continue
    if cur and cur['t']: cur['t'][-1][2].append(line)
dump(cur)
