-- Changes of rendered values: :KlsSet, and the code actions "Change in …" and "Override in …".
local M = {}

local kls = require('kls')

-- plan asks the server for the change, shows it, and makes it where the user agrees.
local function plan(buffer, choice, value)
  local asked = { uri = choice.uri, layer = choice.layer, resource = choice.resource, value = value }
  kls.execute(buffer, 'kls.set', asked, function(result, client)
    if result.refused then
      vim.notify('kls: ' .. result.refused, vim.log.levels.WARN)
      return
    end
    if not result.diff or result.diff == '' then
      vim.notify('kls: that is the value already', vim.log.levels.INFO)
      return
    end
    local told = table.concat(result.said or {}, '\n')
    if vim.fn.confirm(result.diff .. '\n' .. told, '&Write\n&Cancel', 1) ~= 1 then return end
    vim.lsp.util.apply_workspace_edit(result.edit, client.offset_encoding)
  end)
end

-- change asks for the value of a choice, beginning with what it is now.
function M.change(choice, value)
  local buffer = vim.api.nvim_get_current_buf()
  if value and value ~= '' then
    plan(buffer, choice, value)
    return
  end
  vim.ui.input({ prompt = choice.title .. ': ' .. choice.resource .. ' = ', default = choice.current }, function(input)
    if input ~= nil and input ~= choice.current then plan(buffer, choice, input) end
  end)
end

-- set changes the value under the cursor, of a preview or of a file: in the kustomization that the user chooses.
function M.set(value)
  local buffer = vim.api.nvim_get_current_buf()
  local client = kls.client(buffer)
  local position = vim.lsp.util.make_position_params(0, client and client.offset_encoding or 'utf-16').position
  kls.execute(buffer, 'kls.set', { uri = vim.uri_from_bufnr(buffer), position = position }, function(result)
    local choices = result.choices or {}
    if #choices == 0 then
      vim.notify('kls: no kustomization renders a value from here', vim.log.levels.INFO)
    elseif #choices == 1 then
      M.change(choices[1], value)
    else
      vim.ui.select(choices, { prompt = 'Change the value', format_item = function(c) return c.title end }, function(choice)
        if choice then M.change(choice, value) end
      end)
    end
  end)
end

return M
