return pcall(function() return nil .. 'x' end)

return pcall(function() local t return t.x end)

return pcall(function() local t return t[1] end)

return pcall(function() local t = 5 return t.x end)

return pcall(function() local t t.x = 1 end)

return pcall(function() local t return t() end)

return pcall(function() return foo.bar.baz end)

return pcall(function() foo() end)

return pcall(function() foo.bar() end)

return pcall(function() local s = {} s:bar() end)

return pcall(function() return 1 + nil end)

return pcall(function() return {} + 1 end)

return pcall(function() return 'x' * 2 end)

return pcall(function() return -{} end)

return pcall(function() return -'x' end)

return pcall(function() return #nil end)

return pcall(function() return #5 end)

return pcall(function() return 1 < 'x' end)

return pcall(function() return {} < {} end)

return pcall(function() return nil <= 2 end)

return pcall(function() for i = 'x', 2 do end end)

return pcall(function() for i = 1, 'x' do end end)

return pcall(function() for i = 1, 2, 'x' do end end)

return pcall(function() for i = 1, 2, 0 do return i end end)

return pcall(function() for k in 5 do end end)

return pcall(error)

return pcall(error, 'x')

return pcall(error, 'x', 0)

return pcall(error, {1})

return pcall(function() error('x') end)

return pcall(function() error('x', 2) end)

return pcall(function() error('x', 0) end)

return pcall(function() error() end)

return pcall(function() error({code=1}) end)

return pcall(function() assert(false) end)

return pcall(function() assert(nil, 'msg') end)

return pcall(function() assert(false, {1}) end)

return assert(1, 2, 3)

return pcall(tonumber)

return pcall(select, 0, 1)

return pcall(loadstring, nil)

return xpcall(function() error('a') end, function(m) return 'handled ' .. m end)

return xpcall(function(a) return a end, print, 5)

local function f(n) if n == 0 then return 0 end return 1 + f(n-1) end return pcall(f, 100000)

return tonumber('ff', 16), tonumber('FF', 16), pcall(tonumber, '1', 99), tonumber('-11', 2), tonumber(10, 16)

return pcall(function() return ('x').y.z end)

return pcall(next, {}, 'nokey')

return pcall(tostring)

return type(nil), pcall(type)

return xpcall(function() local x = nil; x.y = 1 end, function(e) return e end)

return pcall(pcall), pcall(pcall, error)

return pcall(function() return pcall(error, 'inner') end)

local ok, e = pcall(function() error({code = 5}) end) return ok, e.code

local ok, e = pcall(function() local a = 1 + {} end) return e

error('top')

error({code = 1})

error()

error(nil)
