return "a\tb\n\65\120 \z x"

return loadstring('return 1 + 1')()

return load(function() return nil end)

return #'abc' + 1, -2 ^ 2, not 1 == 2, 2 ^ 3 ^ 2, 1 .. 2 .. 3

return '1e3' + 1

return '0x10' + 1

return ' 5 ' + 1

return '1.5' * 2

return '10' < '9', '10' + 0 < 9

return 'abc' < 'abd', 'Z' < 'a', '' < 'a'

return #arg

return arg

return "abc

return select('#', ...)

return {} == {}, 'a' == 'a', 1 == 1.0, nil == nil, true ~= false

return obj.a, obj.missing, type(obj)
