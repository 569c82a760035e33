-- What a kustomization renders, in a buffer that follows what is typed: :KlsPreview, :KlsPreviewDiff, :KlsExplain.

local kls = require('kls')
local M = {}

-- shown is what each preview was made of, by the URI that names its buffer.
local shown = {}

local function fill(buffer, text, filetype)
  local lines = vim.split(text, '\n', { plain = true })
  if lines[#lines] == '' then table.remove(lines) end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].filetype = filetype
end

-- show puts text into the buffer of a URI, which is made where there is none, and returns the buffer and its window.
local function show(uri, text, filetype)
  local buffer = vim.fn.bufnr('^' .. vim.fn.fnameescape(uri) .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, uri)
    vim.bo[buffer].buftype = 'nofile'
    vim.bo[buffer].bufhidden = 'hide'
    vim.bo[buffer].swapfile = false
  end
  fill(buffer, text, filetype)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd('vertical sbuffer ' .. buffer)
    window = vim.api.nvim_get_current_win()
  end
  return buffer, window
end

-- source goes from the line of a preview to where it was written.
local function source(uri)
  local preview = shown[uri]
  local at = preview and preview.lines[vim.api.nvim_win_get_cursor(0)[1]]
  if at == nil or at == vim.NIL then
    vim.notify('kls: nothing is known of where this line was written', vim.log.levels.INFO)
    return
  end
  local target = vim.uri_to_fname(preview.files[at[1] + 1])
  if preview.window and vim.api.nvim_win_is_valid(preview.window) then vim.api.nvim_set_current_win(preview.window) end
  -- Not :edit, which would read a file again that is open here and not saved.
  local buffer = vim.fn.bufadd(target)
  vim.bo[buffer].buflisted = true
  vim.api.nvim_win_set_buf(0, buffer)
  local line = vim.api.nvim_buf_get_lines(0, at[2], at[2] + 1, false)[1] or ''
  local ok, column = pcall(vim.str_byteindex, line, at[3], preview.encoding == 'utf-16')
  if preview.encoding == 'utf-8' or not ok then column = at[3] end
  vim.api.nvim_win_set_cursor(0, { at[2] + 1, math.min(column, #line) })
end

-- watch asks for the text as a virtual document: the server tells of changes of what was asked for in that way. It may
-- have changed since it was shown.
local function watch(uri)
  local preview = shown[uri]
  kls.request(preview.origin, 'workspace/textDocumentContent', { uri = uri }, function(result)
    if result.text ~= preview.text then M.refresh(uri) end
  end)
end

local function argument(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

-- preview shows what the kustomization of the buffer renders, or with a resource, Kind/[namespace/]name, that alone.
function M.preview(resource)
  local origin, window = vim.api.nvim_get_current_buf(), vim.api.nvim_get_current_win()
  local asked = argument(origin)
  if resource and resource ~= '' then asked.resource = resource end
  kls.execute(origin, 'kls.preview', asked, function(result, client)
    local buffer = show(result.uri, result.text, 'yaml')
    shown[result.uri] = { text = result.text, lines = result.lines, files = result.files, window = window, origin = origin, asked = asked,
      encoding = client.offset_encoding }
    vim.keymap.set('n', '<CR>', function() source(result.uri) end, { buffer = buffer, desc = 'go to where this was written' })
    M.follow()
    watch(result.uri)
  end)
end

-- refresh asks again for a preview that is open.
function M.refresh(uri)
  local preview = shown[uri]
  local buffer = preview and vim.fn.bufnr('^' .. vim.fn.fnameescape(uri) .. '$') or -1
  if buffer == -1 or not vim.api.nvim_buf_is_valid(preview.origin) then
    shown[uri] = nil
    return
  end
  kls.execute(preview.origin, 'kls.preview', preview.asked, function(result)
    if not vim.api.nvim_buf_is_valid(buffer) then return end
    preview.text, preview.lines, preview.files = result.text, result.lines, result.files
    fill(buffer, result.text, 'yaml')
    watch(uri)
  end)
end

-- follow has each open preview asked for again when what it is made of may have changed.
function M.follow()
  local group = vim.api.nvim_create_augroup('kls_preview', { clear = true })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'TextChangedI' }, {
    group = group,
    callback = function(event)
      if not vim.lsp.buf_is_attached(event.buf, (kls.client(event.buf) or { id = -1 }).id) then return end
      for uri in pairs(shown) do M.later(uri) end
    end,
  })
end

-- later refreshes once, when nothing was typed for a moment.
local waiting = {}
function M.later(uri)
  waiting[uri] = (waiting[uri] or 0) + 1
  local turn = waiting[uri]
  vim.defer_fn(function()
    if waiting[uri] == turn then M.refresh(uri) end
  end, 150)
end

-- diff shows what the kustomization of the buffer changes: against its base, or against git's HEAD.
function M.diff(against)
  local origin = vim.api.nvim_get_current_buf()
  local asked = argument(origin)
  asked.against = (against == nil or against == '') and 'base' or against:lower()
  kls.execute(origin, 'kls.previewDiff', asked, function(result)
    show(result.diff.uri, result.diff.text, 'diff')
  end)
end

-- explain tells in a floating window where the value under the cursor comes from.
function M.explain()
  local buffer = vim.api.nvim_get_current_buf()
  local client = kls.client(buffer)
  local position = vim.lsp.util.make_position_params(0, client and client.offset_encoding or 'utf-16').position
  kls.execute(buffer, 'kls.explain', { uri = vim.uri_from_bufnr(buffer), position = position }, function(result)
    vim.lsp.util.open_floating_preview(vim.split(result.markdown, '\n', { plain = true }), 'markdown', { focus_id = 'kls.explain' })
  end)
end

return M
