return string.format('%d', 1.5)

return string.format('%d', '10')

return string.format('%f %.2f %e %g %G %E', 1, 2.345, 12345.678, 0.0001, 1e20, 5)

return string.format('%x %X %o %c %q %%', 255, 255, 8, 65, 'a\n"b\\')

return pcall(string.format, '%d', 'x')

return pcall(string.format, '%d')

return pcall(string.format, '%s')

return string.format('%s %s %s', nil, true, {} ~= nil)

return string.format('%5.1f|%-8.3f|', 3.14159, 2.71828)

return string.format('%q', 'é\0\r'), string.format('%c%c', 0x41, 0xe9)

return string.format('%s', 'é'), string.upper('é'), #string.char(200, 130)

return tostring(2^31), 2^53 + 1, 1e308 * 10, string.format('%.14g', 0.1), string.format('%.0f', 0.5), string.format('%5.3g|', 1234567)

return string.format('%d', 2^31), string.format('%d', -1), string.format('%x', -1)

return string.format('%-10s|%10s|', 'é', 'é'), ('é'):byte(1, -1)

return string.format('%d items', 3.99), string.format('%d', -3.99), string.format('%s', 3.0), string.format('%.1f%%', 99.5)

return string.format('%q', 'plain'), string.format('%x', 3.7), string.format('%c', 'A')

return string.format('%5s%%', true), string.format('%.0f %.0f %.1f %.2f', 1.5, 2.5, 0.25, 1.005)

return string.format(5), pcall(string.format)
