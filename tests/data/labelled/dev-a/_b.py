import sys,re,json,datetime,random
R={'U':'user','A':'assistant','T':'tool'}
def flush(s):
    if not s: return
    rnd=random.Random(s['name']);t=s['t0'];turns=[];lab={};pend=[];cn=0
    for r in s['rows']:
        if r[0]=='gap':
            n,u=int(r[1][:-1]),r[1][-1]; t+=n*{'m':60,'h':3600,'d':86400}[u]*1000; continue
        role,label,body=r; lines=body.rstrip('\n').split('\n'); calls=[]; keep=[]
        for l in lines:
            m=re.match(r'^!(\w+) (.*)$',l)
            if m:
                cn+=1; a=m.group(2)
                arg=json.loads(a) if a.startswith('{"') else {'command':a}
                calls.append({'id':f'c{cn}','name':m.group(1),'arguments':arg})
            else: keep.append(l)
        d={'role':R[role],'content':'\n'.join(keep).strip(),'timestamp':t}
        if calls: d['tool_calls']=calls; pend+= [c['id'] for c in calls]
        if role=='T': d['tool_call_id']=pend.pop(0)
        if label: lab[label]=len(turns)
        turns.append(d); t+={'U':rnd.randint(3,25),'A':rnd.randint(15,140),'T':rnd.randint(2,12)}[role]*1000
    exp=[]
    for k,ls,kw in s['exp']:
        idx=[lab[x] for x in ls]; txt='\n'.join(turns[i]['content']+json.dumps(turns[i].get('tool_calls',''),ensure_ascii=False) for i in idx).lower()
        for w in kw: assert w.lower() in txt,(s['name'],w)
        assert k in('concept','pattern','gotcha','decision') and 1<=len(idx)<=4
        exp.append({'kind':k,'turns':sorted(idx),'about':kw})
    assert not pend,(s['name'],pend)
    o={'name':s['name'],'language':s['lang'],'session':{'id':s['id'],'timestamp':s['t0'],'channel':s['ch'],'agent':'main','turns':turns},'expected':exp}
    json.dump(o,open(s['name']+'.json','w'),ensure_ascii=False,indent=1)
    print(s['name'],s['lang'],len(turns),len(exp))
s=None
for l in sys.stdin:
    if l.startswith('=== '):
        flush(s); n,lg,ch,ts,i=[x.strip() for x in l[4:].split('|')]
        s=dict(name=n,lang=lg,ch=ch,id=i,t0=int(datetime.datetime.strptime(ts,'%Y-%m-%d %H:%M').replace(tzinfo=datetime.timezone.utc).timestamp()*1000),rows=[],exp=[]); continue
    if not s: continue
    m=re.match(r'^([UAT])(?:#(\w+))?: ?(.*)$',l)
    if m: s['rows'].append([m.group(1),m.group(2),m.group(3)+'\n']); continue
    if l.startswith('@gap '): s['rows'].append(('gap',l[5:].strip())); continue
    if l.startswith('EXPECT '):
        a,b=l[7:].split('|'); k,ls=a.split(); s['exp'].append((k,ls.split(','),[x.strip() for x in b.split(',')])); continue
    if s['rows'] and s['rows'][-1][0]!='gap' and not s['exp']: s['rows'][-1][2]+=l
flush(s)
