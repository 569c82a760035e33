-- A session in a real Neovim, 0.7 or newer, without plugins; session.sh runs it.
--
-- It opens an overlay with a typo in the target of a patch, prints what the server
-- says, types the fix, and asks for hovers and definitions. Neovim ends with exit
-- code 0 if everything was as it should be, else with 1.

local kls, tree = vim.env.KLS, vim.env.TREE
local failed = false

local function say(...) io.stdout:write(table.concat({ ... }, ' '), '\n') end

local function check(ok, what)
  say(ok and 'ok  ' or 'FAIL', what)
  failed = failed or not ok
end

local function finish()
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  vim.wait(2000, function() return #vim.lsp.get_active_clients() == 0 end, 20)
  vim.cmd(failed and 'cquit 1' or 'qall!')
end

local function edit(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(tree .. '/' .. path))
  vim.bo.filetype = 'yaml'
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ name = 'kls', cmd = { kls, 'lsp' }, root_dir = tree,
    workspace_folders = { { uri = vim.uri_from_fname(tree), name = 'tree' } } })
  vim.lsp.buf_attach_client(buffer, id)
  return buffer, id
end

local function diagnostics(buffer)
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(lines, string.format('%d:%d %s [%s]', d.lnum + 1, d.col + 1, d.message:gsub('\n', ' / '), d.code or (d.user_data or {}).lsp.code))
  end
  return lines
end

-- place puts the cursor on the first occurrence of a text.
local function place(buffer, needle)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local at = line:find(needle, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { i, at - 1 })
      return vim.lsp.util.make_position_params(0, vim.lsp.get_active_clients()[1].offset_encoding)
    end
  end
  error('no ' .. needle)
end

local function ask(buffer, method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 5000) or {}
  for _, answer in pairs(answers) do return answer.result end
end

local ok, problem = pcall(function()
  local buffer = edit('overlay/kustomization.yaml')
  check(vim.wait(5000, function() return #diagnostics(buffer) > 0 end, 10), 'diagnostics come')
  for _, line in ipairs(diagnostics(buffer)) do say('    ', line) end

  say('types the fix')
  place(buffer, 'wbe')
  vim.cmd('normal! cwweb')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = buffer })
  check(vim.wait(5000, function() return #diagnostics(buffer) == 0 end, 10), 'and they go')

  local hover = ask(buffer, 'textDocument/hover', place(buffer, 'web'))
  check(hover and hover.contents.value:find('replicas: 3', 1, true) ~= nil, 'hover on the patch')
  if hover then say((('\n' .. hover.contents.value):gsub('\n', '\n     '))) end

  local target = ask(buffer, 'textDocument/definition', place(buffer, 'web'))
  check(target and #target == 1 and (target[1].targetUri or target[1].uri):find('base/deploy.yaml', 1, true) ~= nil, 'definition of the target')
  vim.lsp.util.jump_to_location(target[1], vim.lsp.get_active_clients()[1].offset_encoding)
  say('     ' .. vim.fn.expand('%:.') .. ':' .. vim.fn.line('.') .. ':' .. vim.fn.col('.') .. '  ' .. vim.fn.getline('.'))
  check(vim.fn.getline('.'):find('name: web', 1, true) ~= nil, 'and the cursor is on its name')

  vim.cmd('buffer ' .. buffer)
  local base = ask(buffer, 'textDocument/definition', place(buffer, '../base'))
  check(base and (base[1].targetUri or base[1].uri):find('base/kustomization.yaml', 1, true) ~= nil, 'definition of the base')

  local documentation = ask(buffer, 'textDocument/hover', place(buffer, 'resources'))
  check(documentation ~= nil, 'hover on a field')
  if documentation then say((('\n' .. documentation.contents.value):gsub('\n', '\n     '))) end
end)
if not ok then
  check(false, tostring(problem))
end
finish()
