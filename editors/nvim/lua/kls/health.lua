-- :checkhealth kls

local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

function M.check()
  start('kls')
  if vim.fn.has('nvim-0.7') == 0 then
    fail('Neovim 0.7 or newer is needed')
    return
  end
  ok('Neovim ' .. tostring(vim.version().major) .. '.' .. tostring(vim.version().minor))
  if vim.fn.executable('kls') == 0 then
    fail('there is no program kls in $PATH', { 'go install github.com/kustomize-lsp/kls/cmd/kls@latest', "or say where it is: require('kls').setup({ cmd = { '/path/to/kls', 'lsp' } })" })
  else
    ok(vim.fn.exepath('kls') .. ': ' .. vim.trim(vim.fn.system({ 'kls', 'version' })))
  end
  local clients = vim.tbl_filter(function(client) return client.name == 'kls' end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
  if #clients == 0 then
    warn('the server does not run; it starts with the first YAML or JSON file of a tree that has a kustomization')
  end
  for _, client in ipairs(clients) do
    ok('the server runs for ' .. (client.config.root_dir or 'single files'))
  end
  if vim.fn.executable('yaml-language-server') == 1 then
    ok('yaml-language-server is there, too: kls leaves schema answers in resource files to it')
  end
end

return M
