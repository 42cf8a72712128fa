return tonumber('0x10'), tonumber('  12  '), tonumber('1e3'), tonumber('abc'), tonumber('10', 2), tonumber('zz', 36), tonumber('8', 8), tonumber(''), tonumber('0x'), tonumber('1 2')

return 1e15, 1e16, 1e17, 123456789012345678, 1e100, 0.1, 1/3, 1e-5, 100000000000000000000, 2^53, 2^63, -2^63, 1/0, -1/0, 0/0, -0

return 10 % 3, -10 % 3, 10 % -3, 5.5 % 2, 5 % 0, 7 / 2, 2 ^ 10, 2 ^ 0.5

return tostring(1), tostring(1.5), tostring(nil), tostring(true), tostring(print) ~= nil, type(tostring({}))

return 10 .. 20, 1.5 .. '', 2^31 .. ''

return 0xff, 1e2, .5, 3., 0x1p4

return 5 // 2

return 5 & 3

return tostring(12345678901234567890), 1e15 + 0.5, 123456.789e3

return tonumber('1e'), tonumber('0b1'), tonumber('1_000'), tonumber('inf'), tonumber('nan'), tonumber(' 0x1F '), tonumber('-5'), tonumber('+5'), tonumber('- 5'), tonumber('.5'), tonumber('5.')

return tonumber(nil)

return 1e20 .. '', 1e21 .. '', 1.5e20 .. '', 123456789.125 .. '', 1.5e-5 .. '', 0.0001 .. '', 1e22+0.5

return 1.5e19 .. '', 2^63 .. '', 2^62 .. '', -2^63 .. '', 9.3e18 .. ''

return tostring(nil)

return 2^-1, -3^2, 2^3^2, (2^3)^2, 7 % 3 * 2, 1 + 2 * 3 - 4 / 2, not (1 > 2) and 'y' or 'n'

return 1,

return ...

return tostring(1e15), tostring(-1.5), tostring(1e300), 0.1 + 0.2, 100 / 3

return tostring(true):upper(), (5 .. ''):rep(2), #tostring(12.5)
