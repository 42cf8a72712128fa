return ('hello world'):find('o w'), ('x'):rep(3), ('abc'):upper(), #'é', ('abc'):byte(1,-1)

return string.gsub('hello world', 'o', '0'), string.gsub('abc', '%w', '%0%0'), string.gsub('hello', 'l', {l='L'}), string.gsub('hello', 'l', function(c) return c:upper() end, 1)

return string.gsub('abc', '', '-')

return string.find('THE (quick) fox', '%((%a+)%)')

return string.find('THE (quick) fox', '%f[%a]%a+')

return string.match('key = value', '(%w+)%s*=%s*(%w+)')

return string.match('f(a(b)c)d', '%b()')

return string.match('2024-01-02', '(%d+)-(%d+)-(%d+)')

return string.match('  trim  ', '^%s*(.-)%s*$') .. '|'

return string.match('abc', '()b()')

local r = {} for w in string.gmatch('one two', '%a+') do r[#r+1]=w end return table.concat(r, ',')

local r = {} for k, v in string.gmatch('a=1, b=2', '(%w+)=(%w+)') do r[#r+1]=k..v end return table.concat(r, ',')

return (pcall(string.find, 'a', '[a')), (pcall(string.find, 'a', '(a')), (pcall(string.find, 'a', 'a)')), (pcall(string.find, 'b', 'a)'))

return pcall(string.find, 'a', '%')

return pcall(string.gsub, 'a', 'a', '%2')

return string.gsub('abc def', '(%w+) (%w+)', '%2 %1')

return string.match('hello', '(h)(e)(l)%3'), string.find('abcabc', '(abc)%1')

return tostring({}):match('^table: 0x') ~= nil, tostring(print):match('^function: ') ~= nil

return string.gsub('abc', '%w', {a = 1, b = true, c = false}), pcall(string.gsub, 'abc', '%w', function() return {} end)

return string.match('x=1', '(.-)=(.*)'), string.match('abc', '.', 2), string.match('abc', 'z'), string.match('2024', '%d%d$')

return string.find('', ''), string.find('', 'a'), string.find('abc', '', 4), string.find('abc', '', 5)
