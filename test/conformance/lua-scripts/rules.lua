hs = {}
if obj.status ~= nil then
  if obj.status.conditions ~= nil then
    for i, condition in ipairs(obj.status.conditions) do
      if condition.type == "Ready" and condition.status == "False" then
        hs.status = "Degraded"
        hs.message = condition.message
        return hs.status, hs.message
      end
    end
  end
end
hs.status = "Progressing"
hs.message = "Waiting"
return hs.status, hs.message

local function find(conditions, kind)
  for _, condition in pairs(conditions or {}) do
    if condition.type == kind then return condition end
  end
end
local stalled, missing = find(obj.status.conditions, "Stalled"), find(obj.status.conditions, "None")
return stalled.reason, missing, find(nil, "x")

if obj.metadata.generation ~= obj.status.observedGeneration then return "Progressing" end
if obj.spec.paused then return "Suspended" end
return (obj.status.readyReplicas or 0) < (obj.spec.replicas or 1) and "Progressing" or "Healthy"

local messages = {}
for _, condition in ipairs(obj.status.conditions) do
  table.insert(messages, condition.type .. "=" .. condition.status .. " (" .. condition.reason .. ")")
end
table.sort(messages)
return table.concat(messages, "; "), #messages

return obj.spec.nothing, obj.spec.ratio, obj.spec.text, #obj.spec.text, #obj.metadata.finalizers, next(obj.metadata.finalizers)

return obj.metadata.annotations["a/b"], obj.metadata.annotations["c/d"], obj.metadata.labels

return obj.status.phase:lower(), string.format("%d of %d ready", obj.status.readyReplicas, obj.spec.replicas)

return pcall(function() return obj.status.missing.deeper end)

obj.metadata.annotations["restarted"] = "now"
obj.spec.replicas = obj.spec.replicas + 1
obj.spec.sizes[#obj.spec.sizes + 1] = 4
return obj.metadata.annotations.restarted, obj.spec.replicas, #obj.spec.sizes, obj.spec.sizes[4]

local sum = 0
for _, size in ipairs(obj.spec.sizes) do sum = sum + size end
return sum, sum / #obj.spec.sizes, sum % 4

local os = require("os")
return os.date("!%Y-%m-%dT%H:%M:%SZ", 1700000000), type(os.time())

local states = { Running = "Healthy", Failed = "Degraded" }
return states[obj.status.phase] or "Unknown", states[obj.status.other] or "Unknown"

local copy = {}
local function deep(value)
  if type(value) ~= "table" then return value end
  local result = {}
  for key, item in pairs(value) do result[key] = deep(item) end
  return result
end
copy = deep(obj)
copy.spec.replicas = 9
return obj.spec.replicas, copy.spec.replicas, copy ~= obj, copy.status.conditions[2].type

local ready, total = 0, 0
for _, condition in ipairs(obj.status.conditions) do
  total = total + 1
  if condition.status ~= "True" then goto continue end
  ready = ready + 1
  ::continue::
end
return ready, total, ready == total

local image = "registry.example.org:5000/team/app:v1.2.3"
local name, tag = image:match("^(.+):([^:/]+)$")
return name, tag, image:gsub("^[^/]+/", ""), ("a,b,,c"):gsub(",", ";")

local parts = {}
for part in ("1.20.3-beta"):gmatch("[^.-]+") do parts[#parts + 1] = tonumber(part) or part end
return unpack(parts)

local Stack = {}
Stack.__index = Stack
function Stack.new() return setmetatable({ items = {} }, Stack) end
function Stack:push(value) self.items[#self.items + 1] = value return self end
function Stack:pop() return table.remove(self.items) end
local stack = Stack.new():push(1):push(2)
return stack:pop(), stack:pop(), stack:pop(), getmetatable(stack) == Stack

local Animal = {} Animal.__index = Animal
function Animal.new(name) local self = setmetatable({}, Animal) self.name = name return self end
function Animal:speak() return self.name .. " makes a sound" end
local Dog = setmetatable({}, { __index = Animal }) Dog.__index = Dog
function Dog.new(name) local self = Animal.new(name) return setmetatable(self, Dog) end
function Dog:speak() return Animal.speak(self) .. ": woof" end
return Dog.new("Rex"):speak(), Animal.new("It"):speak()

local memo = setmetatable({}, { __mode = "k" })
local function fib(n)
  if n < 2 then return n end
  if memo[n] then return memo[n] end
  local value = fib(n - 1) + fib(n - 2)
  memo[n] = value
  return value
end
return fib(40)

local function counter()
  local count = 0
  return function() count = count + 1 return count end, function() return count end
end
local increment, read = counter()
increment() increment()
return read(), increment()

local function loop(n, sum) if n == 0 then return sum end return loop(n - 1, sum + n) end
return loop(5000, 0)

local ok, problem = pcall(function()
  local function check(value) if value < 0 then error("negative: " .. value, 2) end end
  check(-1)
end)
return ok, problem

local ok, problem = pcall(function()
  --
  local nothing
  --
  return nothing.field
end)
return problem

local result = {}
for i = 1, 3 do
  for j = 1, 3 do
    if j > i then break end
    result[#result + 1] = i * j
  end
end
return table.concat(result, " ")

local a, b, c = ...
return a, b, c, select("#", ...)

-- A comment, and
--[[ one over
several lines ]] return 1 --[==[ and
another ]==] , 2

return [[
first line
second]], [==[a]]b]==], "tab\tquote\"", 'it\'s', "\65\066\0067"

return ("x"):rep(3) .. 1 .. 2.5 .. "y", "10" + 5, "3" * "4", 10 .. ""
