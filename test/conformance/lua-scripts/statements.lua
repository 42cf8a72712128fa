goto done; do return 1 end ::done:: return 2

for i=1,3 do if i==2 then goto continue end if i == 3 then return i end ::continue:: end

local a <const> = 5 return a

local s = 0 for i = 10, 1, -3 do s = s + i end return s

local i = 0 repeat local x = i i = i + 1 until x >= 3 return i

local x = 5 do local x = 6 end return x

while true do break end repeat local b = true until b return 'ok'

for i = 3, 1 do return 'no' end return 'none'

for i = 1, 0.5 do end for i = 0.1, 0.35, 0.1 do io = i end return io

for i = 1, 3 do local i = i * 2 if i == 4 then return i end end

for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next end if i == 3 then return i, j end end ::next:: end

do local i = 1 ::top:: if i < 5 then i = i + 1 goto top end return i end

goto nowhere

break

x = = 1

local 1 = 2

if x then

f(

a.b.c = 1

local a = {b = {}} a.b.c = 1 return a.b.c

local a, b = 1 return a, b

local n = 0
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    n = n + 1
    ::continue::
  end
  if i == 2 then goto continue end
  n = n + 10
  ::continue::
end
return n
