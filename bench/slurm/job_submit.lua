-- Slurm's submit plugin: asks the fabric manager where a job goes (initialization specification 5.4, 6.1).
--
-- A job says `--comment=mgd=FILE`, the path of its mesh graph descriptor. The manager finds chips; the job
-- then has the nodes of these chips, a task for each rank, and the comment `mgd=FILE job=NAME`, by which
-- launch.sh finds its bindings. Without room the job is refused at once, with the manager's reasons.
--
-- /etc/slurm/meshsim.lua (or what MESHSIM_SLURM_SETTINGS names) sets how the manager is called:
--   meshsim_manager = "meshsim manager %s --address=10.0.0.1:7411 --remote"

local settings = os.getenv("MESHSIM_SLURM_SETTINGS") or "/etc/slurm/meshsim.lua"
meshsim_manager = "meshsim manager %s"
pcall(dofile, settings)

local count = 0

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Returns what a command prints, and whether it succeeded.
local function output_of(command)
  local pipe = io.popen(command .. " 2>&1", "r")
  if not pipe then
    return "cannot run " .. command, false
  end
  local text = pipe:read("*a")
  return text, text:match('"status": "ok"') ~= nil
end

-- Returns the strings of a list of a JSON document, each once, and how many there are with repetitions.
local function strings_of(document, key)
  local list, seen, all = {}, {}, 0
  for text in (document:match('"' .. key .. '":%s*%[(.-)%]') or ""):gmatch('"(.-)"') do
    all = all + 1
    if not seen[text] then
      seen[text] = true
      list[#list + 1] = text
    end
  end
  return list, all
end

function slurm_job_submit(job_desc, part_list, submit_uid)
  local mgd = (job_desc.comment or ""):match("^mgd=(%S+)$")
  if not mgd then
    return slurm.SUCCESS
  end
  count = count + 1
  local name = string.format("slurm-%d-%d-%d", os.time(), submit_uid, count)
  local request = string.format("place %s --mgd=%s --owner=%d --json", name, quoted(mgd), submit_uid)
  local reply, placed = output_of(string.format(meshsim_manager, request))
  if not placed then
    -- The daemon may read files that the user may not, so errors that quote the file are not shown.
    local full = reply:match('"status": "no%-room"') and reply:match('"why": "(.-)"')
    slurm.log_user("no place for " .. mgd .. ": " .. (full or "see meshsim place --mgd=" .. mgd))
    return slurm.ERROR
  end
  local nodes, ranks = strings_of(reply, "hosts")
  job_desc.req_nodes = table.concat(nodes, ",")
  job_desc.min_nodes = #nodes
  job_desc.max_nodes = #nodes
  job_desc.num_tasks = ranks
  job_desc.comment = "mgd=" .. mgd .. " job=" .. name
  slurm.log_user("placed on " .. job_desc.req_nodes)
  return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
