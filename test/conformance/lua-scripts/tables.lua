return pcall(function() for k in pairs(nil) do end end)

return pcall(function() for k in ipairs(nil) do end end)

return pcall(function() local t = {} t[nil] = 1 end)

return pcall(function() local t = {} t[0/0] = 1 end)

local t={} t[3]=3 t[2]=2 t[1]=1 return #t

local t={1,2,3,nil,5} return #t

local t={1,2,3} t[#t]=nil return #t

local t={n=1,2,[3]=4,5} local s='' for k,v in pairs(t) do s=s..tostring(k)..'='..tostring(v)..';' end return s

local t={} t.a=1 t.b=2 t.a=nil t.c=3 t.a=4 local s='' for k,v in pairs(t) do s=s..k..v end return s

return table.concat({1,2,3}, ', '), table.concat({}, 'x'), table.concat({1,2,3}, '-', 2, 3), pcall(table.concat, {1,{},3})

local t={3,1,2} table.sort(t) return table.concat(t, ' ')

local t={3,1,2} table.sort(t, function(a,b) return a>b end) return table.concat(t, ' ')

return pcall(table.sort, {1,'x'})

local t={1,2,3} table.insert(t, 1, 0) table.insert(t, 4) return table.concat(t, ' '), table.remove(t), table.remove(t, 1), table.concat(t, ' ')

return pcall(table.insert, {}, 5, 'x')

return pcall(table.insert, {})

return table.remove({}), table.remove({1,2,3}, 5), table.maxn({1,2,[10]=3}), table.getn({1,2})

return unpack({1,2,3}), unpack({1,2,3}, 2), unpack({1,2}, 1, 3)

return (unpack({1,2,3}))

local t = {f = function(self, x) return x end} return t:f(3), t.f(1, 2)

local t = {(function() return 1, 2 end)(), (function() return 1, 2 end)()} return #t

return pcall(ipairs), pcall(pairs, 5)

return table.concat({1, 2.5, 'x'}, ' '), pcall(table.concat, {1, nil, 3}), pcall(table.concat, {}, ' ', 1, 2)

local t = {5,2,8,1,9,3} table.sort(t, function(a, b) return a > b end) return unpack(t)

local t = {1,2,3,4,5} table.remove(t, 2) table.insert(t, 2, 'x') return unpack(t)

return pcall(table.remove, {}, 1), pcall(table.insert, {1}, 0, 'x'), pcall(table.insert, nil, 1)

return unpack({}, 1, 2), select('#', unpack({}, 1, 3)), select('#', unpack({n=3}))

local t = {1,2,3} t[5] = 5 return #t, t[4], t[5], table.maxn(t)

local t = {} for i = 1, 10 do t[i] = i end for i = 1, 5 do t[i] = nil end return #t, next(t)

local t = {10,20,30} t[1] = nil local s = '' for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end return s, #t

local t = {a=1,b=2,c=3} for k in pairs(t) do t[k] = nil end return next(t)

local t = {1,2,3} for i, v in ipairs(t) do if i < 5 then t[i + 3] = v end end return #t

local r = {} for i, v in ipairs({1, nil, 3}) do r[#r + 1] = v end return #r

local t = {f = function(self) return self.v end, v = 5} return t:f(), t.f{v = 6}

local t = {1, 2, 3,} return #t

local t = {1; 2; 3;} return #t

local t = {} local i = 1 i, t[i] = i + 1, 20 return i, t[1], t[2]

local t = {} function t.a() return 1 end function t:b() return self == t end return t.a(), t:b()

local t = {x = {}} function t.x.y() return 7 end function t.x:z(a) return a end return t.x.y(), t.x:z(8)

return #{n = 1}, #{1, 2, nil}, #{nil}, #{nil, 2}

return next({}, nil), type(next({a=1}))

local t = {} t[3]=1 return #t

local t = {} t[100]=1 return #t

local t = {1,2,3} t[10]=1 return #t

local t = {1,2,3} t[300]=1 t[5]=2 local s='' for k in pairs(t) do s=s..k..' ' end return s, #t

local t = {[3]=1} return #t

local t = {x=1,[5]=1} local s='' for k in pairs(t) do s=s..k..' ' end return s, #t

local t = {} t.x=1 t[2]=2 t[1]=1 local s='' for k in pairs(t) do s=s..k..' ' end return s, #t

local t = {} t[67108865]=1 return #t
