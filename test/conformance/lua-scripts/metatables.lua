return pcall(setmetatable, {}, 1)

return next({}), next({10}), type(next), rawequal('a','a'), rawget({a=1}, 'a'), rawlen

local t = setmetatable({}, {__index=function(t,k) return k..'!' end, __newindex=function(t,k,v) rawset(t,k,v*2) end, __call=function(self,a,b) return a+b end, __len=function() return 42 end, __tostring=function() return 'me' end, __unm=function() return 'neg' end, __concat=function(a,b) return 'cat' end, __eq=function() return true end, __lt=function() return true end, __le=function() return false end}) t.x=4 return t.x, t.y, t(1,2), #t, tostring(t), -t, t..'a', 'a'..t, t < t, t <= t

local mt = {__metatable='locked'} local t = setmetatable({}, mt) return getmetatable(t), pcall(setmetatable, t, {})

local t = setmetatable({}, {__index = {a = 1}}) return t.a, rawget(t, 'a')

local t = setmetatable({}, {__index = function(t, i) if i < 4 then return i * 10 end end}) local r = {} for i, v in ipairs(t) do r[#r + 1] = v end return #r

local t = setmetatable({}, {__newindex = function() error('readonly') end}) return pcall(function() t.x = 1 end)

local a = setmetatable({v = 1}, {__eq = function() return true end}) local b = setmetatable({v = 1}, {__eq = function() return true end}) return a == b, a ~= b

local mt = {__eq = function() return true end} local a, b = setmetatable({}, mt), setmetatable({}, mt) return a == b, a == 1, a ~= b

local mt = {__lt = function(a, b) return a.v < b.v end} local a, b = setmetatable({v=1}, mt), setmetatable({v=2}, mt) return a < b, a > b, pcall(function() return a <= b end)

local mt = {__add = function(a, b) return 'sum' end} local a = setmetatable({}, mt) return a + 1, 1 + a, a + a

local mt = {__call = function(self, ...) return select('#', ...), ... end} return setmetatable({}, mt)(1, nil)

local t = setmetatable({}, {__tostring = function() return 5 end}) return pcall(tostring, t)

local t = setmetatable({}, {__index = string}) return t.upper('x')

return select(2, pcall(error, setmetatable({}, {__tostring = function() return 'E' end})))

return rawset({}, 'a', 1).a, pcall(rawset, {}, nil, 1), pcall(rawget, 5, 1)
