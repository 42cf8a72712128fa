return math.floor(1.5), math.ceil(1.5), math.max(1,2,3), math.min(3,2), math.abs(-1), math.sqrt(16), math.pi, math.huge, math.fmod(-5,3), math.modf(1.5), math.pow(2,3), math.mod

return os.time({year=2024,month=1,day=2,hour=3,min=4,sec=5}), os.date('!%Y-%m-%dT%H:%M:%SZ', 0), os.time({year=2024,month=13,day=40}), os.date('!%c', 0), os.date('!*t', 0).year

return pcall(os.time, 5)

return tostring(-0), 0 == -0, 1/(-0), 3 % math.huge, -3 % math.huge

return math.random(1,1), math.floor(-1.5), math.ceil(-1.5), math.log(math.exp(1)), math.log10(100), math.deg(math.pi), math.rad(180), math.sin(0), math.cos(0), math.frexp(8), math.ldexp(1, 3), math.atan2(1, 1)

return pcall(math.floor, 'x'), math.floor('1.5'), pcall(math.max)

return pcall(math.random, 0), pcall(math.random, 2, 1), math.random() < 1

return math.huge == 1/0, math.huge > 1e308

return os.date('%Y', 0), os.date('!%H:%M', 3600), os.date('*t', 86400).day, os.date('!*t', 0).isdst, os.date('!*t', 0).wday, os.date('!*t', 0).yday

return os.time{year=2024, month=2, day=30}, os.time{year='2024', month='1', day='1', hour=0}, os.time{year=1970, month=1, day=1, hour=0}
