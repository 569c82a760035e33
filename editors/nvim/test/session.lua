-- A session in a real Neovim, 0.7 or newer; run.sh starts it.
--
-- It opens an overlay with a typo in the target of a patch, has it mended, and asks for everything that the plugin
-- promises. Neovim ends with exit code 0 if everything was as it should be, else with 1.

local tree, verbose = vim.env.TREE, vim.env.VERBOSE == '1'
local failed = false
local modern = vim.fn.has('nvim-0.11') == 1

local function say(...) io.stdout:write(table.concat({ ... }, ' '), '\n') end

local function show(text)
  if verbose then say((('\n' .. text):gsub('\n', '\n     '))) end
end

local function check(ok, what)
  say(ok and 'ok   neovim:' or 'FAIL neovim:', what)
  failed = failed or not ok
end

local function clients()
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return vim.tbl_filter(function(client) return client.name == 'kls' end, all)
end

local function finish()
  for _, client in ipairs(clients()) do
    if modern then client:stop() else client.stop() end
  end
  vim.wait(2000, function() return #clients() == 0 end, 20)
  vim.cmd(failed and 'cquit 1' or 'qall!')
end

local function edit(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(tree .. '/' .. path))
  vim.bo.filetype = 'yaml'
  return vim.api.nvim_get_current_buf()
end

local function content(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

local function diagnostics(buffer)
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(lines, string.format('%d:%d %s [%s]', d.lnum + 1, d.col + 1, d.message:gsub('\n', ' / '), d.code or (d.user_data or {}).lsp.code))
  end
  return lines
end

-- place puts the cursor on the first occurrence of a text, or behind it.
local function place(needle, behind)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(needle, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { i, at - 1 + (behind and #needle or 0) })
      return vim.lsp.util.make_position_params(0, clients()[1].offset_encoding)
    end
  end
  error('no ' .. needle)
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000) or {}
  for _, answer in pairs(answers) do
    if answer.error or answer.err then error(method .. ': ' .. vim.inspect(answer.error or answer.err)) end
    return answer.result
  end
end

-- until_true waits for something that the server or the plugin does on its own.
local function until_true(what, condition) check(vim.wait(10000, condition, 10), what) end

local function apply(edit) vim.lsp.util.apply_workspace_edit(edit, clients()[1].offset_encoding) end

local function session()
  if modern then
    vim.lsp.enable('kls')
  else
    require('kls').setup()
  end
  local buffer = edit('overlay/kustomization.yaml')
  until_true('attach', function() return #clients() == 1 and vim.lsp.buf_is_attached(buffer, clients()[1].id) end)
  vim.bo.filetype = 'yaml' -- again, while the server is still being greeted
  until_true('diagnostics', function() return table.concat(diagnostics(buffer)):find('[patch-no-target]', 1, true) ~= nil end)
  show(table.concat(diagnostics(buffer), '\n'))

  local params = place('wbe')
  local line = params.position.line
  local actions = ask('textDocument/codeAction', { textDocument = params.textDocument,
    range = { start = params.position, ['end'] = params.position },
    context = { diagnostics = vim.tbl_map(function(d) return (d.user_data or {}).lsp or d end, vim.diagnostic.get(buffer, { lnum = line })) } }) or {}
  local fix = vim.tbl_filter(function(action) return action.kind == 'quickfix' and action.title:find('web', 1, true) end, actions)[1]
  check(fix ~= nil, 'code action')
  if fix then
    show(fix.title)
    if not fix.edit then fix = ask('codeAction/resolve', fix) end
    apply(fix.edit)
  end
  check(content(buffer):find('name: web\n', 1, true) ~= nil, 'the fix is applied')
  check(#clients() == 1, 'by one server')
  until_true('and the diagnostic goes', function() return table.concat(diagnostics(buffer)):find('[patch-no-target]', 1, true) == nil end)

  local hover = ask('textDocument/hover', place('web'))
  check(hover and hover.contents.value:find('replicas: 3', 1, true) ~= nil, 'hover on a patch')
  if hover then show(hover.contents.value) end
  hover = ask('textDocument/hover', place('db.example.com'))
  check(hover and hover.contents.value:find('localhost', 1, true) ~= nil, 'hover on a replacement has the value before')

  local target = ask('textDocument/definition', place('web'))
  check(target and #target == 1 and (target[1].targetUri or target[1].uri):find('base/deploy.yaml', 1, true) ~= nil, 'definition')
  vim.o.hidden = true
  local jump = vim.lsp.util.show_document or vim.lsp.util.jump_to_location
  jump(target[1], clients()[1].offset_encoding)
  show(vim.fn.expand('%:.') .. ':' .. vim.fn.line('.') .. ':' .. vim.fn.col('.') .. '  ' .. vim.fn.getline('.'))
  check(vim.fn.getline('.'):find('name: web', 1, true) ~= nil, 'and the cursor is on the name')
  vim.cmd('buffer ' .. buffer)

  local completion = ask('textDocument/completion', place('json.database.', true)) or {}
  local labels = vim.tbl_map(function(item) return item.label end, completion.items or completion)
  show(table.concat(labels, ' '))
  check(vim.tbl_contains(labels, 'host') and vim.tbl_contains(labels, 'port'), 'completion into embedded JSON')

  vim.cmd('silent write')
  local deploy = edit('base/deploy.yaml')
  params = place('web # größer')
  params.newName = 'shop'
  local renamed = ask('textDocument/rename', params)
  check(renamed ~= nil, 'rename')
  if renamed then
    apply(renamed)
    check(content(deploy):find('name: shop # größer', 1, true) ~= nil and content(buffer):find('name: shop\n', 1, true) ~= nil,
      'the resource and the selector have the new name')
  end
  vim.cmd('buffer ' .. buffer)

  vim.cmd('KlsPreview')
  local preview
  until_true('preview', function()
    preview = vim.fn.bufnr('kls:')
    for _, b in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(b):find('preview.yaml', 1, true) then preview = b end
    end
    return preview ~= -1 and content(preview):find('replicas: 3', 1, true) ~= nil
  end)
  show(content(preview))
  vim.api.nvim_set_current_win(vim.fn.bufwinid(buffer))
  place('prod-')
  vim.cmd('normal! cwlive')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = buffer })
  until_true('the preview follows what is typed', function() return content(preview):find('name: live-shop', 1, true) ~= nil end)
  vim.api.nvim_set_current_win(vim.fn.bufwinid(preview))
  place('replicas: 3')
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<CR>', true, false, true), 'x', false)
  check(vim.fn.expand('%:t') == 'kustomization.yaml' and vim.fn.getline('.'):find('value: 3', 1, true) ~= nil, 'and leads to where a value was written')
  show(vim.fn.expand('%:.') .. ':' .. vim.fn.line('.') .. '  ' .. vim.fn.getline('.'))

  vim.cmd('hide buffer ' .. buffer)
  vim.cmd('KlsPreviewDiff base')
  until_true('preview of the difference', function()
    for _, b in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[b].filetype == 'diff' and content(b):find('+  replicas: 3', 1, true) then return true end
    end
    return false
  end)

  -- A value of the base is overridden where the user chooses; what would be written is shown first.
  vim.cmd('hide buffer ' .. deploy)
  place('replicas')
  local chosen, confirmed
  vim.ui.select = function(items, _, choose)
    for _, item in ipairs(items) do
      if item.title:find('Override in', 1, true) then
        chosen = item
        choose(item)
        return
      end
    end
  end
  vim.ui.input = function(options, answer) answer(options.default == '3' and '8' or options.default) end
  local confirm = vim.fn.confirm
  vim.fn.confirm = function(text)
    confirmed = text
    return 1
  end
  vim.cmd('KlsSet')
  until_true('a value of the base is overridden', function() return confirmed ~= nil and content(buffer):find('value: 8', 1, true) ~= nil end)
  show(confirmed or 'nothing')
  vim.fn.confirm = confirm

  vim.cmd('hide buffer ' .. deploy)
  place('replicas')
  -- A floating window closes as soon as the cursor moves, which here is at once: what was shown is taken down.
  local shown
  local open = vim.lsp.util.open_floating_preview
  vim.lsp.util.open_floating_preview = function(lines, ...)
    shown = table.concat(lines, '\n')
    return open(lines, ...)
  end
  vim.cmd('KlsExplain')
  until_true('explain', function() return shown and shown:find('overlay/kustomization.yaml:6', 1, true) ~= nil end)
  show(shown or '')
  vim.cmd('silent checkhealth kls')
  check(content(0):find('the server runs for', 1, true) ~= nil, 'checkhealth')
end

-- fleet is a session in a tree that Flux deploys.
local function fleet()
  if modern then vim.lsp.enable('kls') else require('kls').setup() end
  local service = edit('storefront/service.yaml')
  until_true('attach', function() return #clients() == 1 and vim.lsp.buf_is_attached(service, clients()[1].id) end)
  local hover = ask('textDocument/hover', place('PORT'))
  check(hover and hover.contents.value:find('`8080` in Kustomization/apps/web, from .*apps/web.yaml') ~= nil, 'hover on a variable')
  if hover then show(hover.contents.value) end
  local supplied = ask('textDocument/definition', place('PORT'))
  check(supplied and #supplied == 1 and (supplied[1].targetUri or supplied[1].uri):find('apps/web.yaml', 1, true) ~= nil, 'and it leads to where that is supplied')

  local object = edit('apps/web.yaml')
  until_true('attach to the object', function() return vim.lsp.buf_is_attached(object, clients()[1].id) end)
  place('targetNamespace')
  vim.cmd('KlsPreview')
  local function preview()
    for _, b in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(b):find('preview.yaml', 1, true) then return b end
    end
  end
  until_true('preview of what is deployed', function() return preview() and content(preview()):find('namespace: shop\nspec:\n  ports:\n  - port: 8080', 1, true) ~= nil end)
  if preview() then show(content(preview())) end

  vim.api.nvim_set_current_win(vim.fn.bufwinid(object))
  place('PORT')
  vim.cmd('normal! cwHOST')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = object })
  until_true('a missing variable is underlined where it stands, before the object is saved', function()
    return table.concat(diagnostics(service)):find('nothing supplies the variable PORT', 1, true) ~= nil
  end)
  show(table.concat(diagnostics(service), '\n'))
  vim.cmd('silent undo')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = object })
  until_true('and no more once that is taken back', function() return #diagnostics(service) == 0 end)

  vim.cmd('silent! write')
  -- Plugins that rename files ask this before they do.
  local uri = vim.uri_from_fname
  local renamed = ask('workspace/willRenameFiles', { files = { { oldUri = uri(tree .. '/storefront'), newUri = uri(tree .. '/site') } } })
  check(renamed ~= nil, 'a folder that is deployed is renamed')
  if renamed then
    apply(renamed)
    vim.fn.rename(tree .. '/storefront', tree .. '/site')
    check(content(object):find('path: ./site', 1, true) ~= nil, 'and the path has the new name')
  end
end

local ok, problem = xpcall(vim.env.FLEET and fleet or session, debug.traceback)
if not ok then check(false, tostring(problem)) end
finish()
