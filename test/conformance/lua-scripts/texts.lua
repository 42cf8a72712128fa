return pcall(string.rep)

return pcall(string.rep, 'x')

return pcall(string.rep, {}, 2)

return getmetatable('').__index == string, ('%d'):format(5)

return math.tointeger, string.pack, table.unpack, table.pack

return (pcall(string.char, 256)), string.byte(string.char(-1)), string.byte(string.char(321))

return ('x'):foo()

return string.byte('abc'), string.byte('abc', 10), string.byte('', 1), string.byte('abc', -1)

return ('abc'):sub(2), ('abc'):sub(-100, 100), ('abc'):sub(3, 2), ('abc'):sub(2, 2), ('abc'):sub('2')

return #string.rep('x', 100000)

local s = 'x' return s:len(), ('abc'):len(), #s

return pcall(string.sub), pcall(string.sub, 'a'), pcall(string.byte, 'a', {}), pcall(string.upper, nil), string.upper(5)
