local function f(...) local a, b = ... return select('#', ...), a, b, arg and arg.n end return f(1, nil, 3)

local function f(n) if n == 0 then return 0 end return 1 + f(n-1) end return f(150)

local function f() return x end setfenv(f, {x = 5}) return f()

local a, b, c = (function() return 1, 2, 3 end)() return a, b, c

local a, b = ((function() return 1, 2 end)()) return a, b

local function f(a, ...) return a, ... end return f(), f(1), f(1, 2, 3)

local x = 1 local function f() x = x + 1 return x end return f(), f(), x

local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end return fs[1](), fs[1](), fs[2]()

local fs = {} local i = 0 while i < 3 do i = i + 1 local j = i fs[i] = function() return j end end return fs[1](), fs[3]()

local function f() return 1 end f() = 2

function f(...) return ... end return f(1, 2)

local function f() return ... end

function t() end return t()
